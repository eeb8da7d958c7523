// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import org.jspecify.annotations.Nullable;

/**
 * Which page to read.
 *
 * @param size the most entries on the page
 * @param cursor {@link TaskPage#nextCursor()} of the previous page; null for the first page
 */
public record PageRequest(int size, @Nullable String cursor) {

  public static final int MAX_SIZE = 1_000;

  public PageRequest {
    if (size < 1 || size > MAX_SIZE) {
      throw new IllegalArgumentException("size: must be 1 to " + MAX_SIZE + ", not " + size);
    }
  }

  public static PageRequest first(int size) {
    return new PageRequest(size, null);
  }
}

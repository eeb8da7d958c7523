// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import org.jspecify.annotations.Nullable;

/**
 * Which page to read.
 *
 * @param size the most entries on the page
 * @param cursor {@link TaskPage#nextCursor()} of the previous page; null for the first page
 * @param scanLimit how many tasks to look at; other lists ignore it
 */
public record PageRequest(int size, @Nullable String cursor, ScanLimit scanLimit) {

  public static final int MAX_SIZE = 1_000;

  public PageRequest {
    if (size < 1 || size > MAX_SIZE) {
      throw new IllegalArgumentException("size: must be 1 to " + MAX_SIZE + ", not " + size);
    }
  }

  /** A page with the default scan limit. */
  public PageRequest(int size, @Nullable String cursor) {
    this(size, cursor, ScanLimit.DEFAULT);
  }

  public static PageRequest first(int size) {
    return new PageRequest(size, null);
  }

  public PageRequest withScanLimit(ScanLimit value) {
    return new PageRequest(size, cursor, value);
  }
}

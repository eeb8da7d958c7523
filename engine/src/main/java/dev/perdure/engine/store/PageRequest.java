// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import org.jspecify.annotations.Nullable;

/**
 * Which page.
 *
 * @param size at most so many tasks
 * @param after {@link Page#next()} of the page before, or null for the first
 */
public record PageRequest(int size, @Nullable String after) {

  public static final int MOST = 1_000;

  public PageRequest {
    if (size < 1 || size > MOST) {
      throw new IllegalArgumentException("a page has 1 to " + MOST + " tasks, not " + size);
    }
  }

  public static PageRequest first(int size) {
    return new PageRequest(size, null);
  }
}

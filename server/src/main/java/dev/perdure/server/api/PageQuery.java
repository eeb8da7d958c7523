// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.store.TaskSort;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which page of a list is asked for.
 *
 * @param size tasks on it
 * @param number from 1; pages by number lead only so far as tasks are counted
 * @param after where it begins, as the page before says; null for a page by its number
 */
record PageQuery(TaskSort sort, int size, int number, @Nullable String after) {

  static final List<String> NAMES = List.of("page", "page_size", "after");

  /** Tasks are counted, and pages have numbers, only so far. */
  static final int MOST_COUNTED = 10_000;

  static PageQuery of(QueryForm form, TaskSort sort, TaskLimits limits) {
    int size = form.size(limits);
    int number = (int) form.number("page", 1, Math.ceilDiv(MOST_COUNTED, size));
    String after = form.text("after");
    if (after != null && form.text("page") != null) {
      form.wrong("page", "cannot stand beside 'after': keep one");
    }
    return new PageQuery(sort, size, number, place(form, sort, after));
  }

  private static @Nullable String place(QueryForm form, TaskSort sort, @Nullable String after) {
    if (after == null) {
      return null;
    }
    try {
      return sort.place(after).toString();
    } catch (IllegalArgumentException e) {
      form.wrong("after", "must be as the 'Link' to this page said, in the same order");
      return null;
    }
  }

  /** How many tasks come before it. */
  int skipped() {
    return after == null ? (number - 1) * size : 0;
  }

  /** True when the page after it can be asked for by its number. */
  boolean isFollowedByNumber() {
    return after == null && number < Math.ceilDiv(MOST_COUNTED, size);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.TaskSort;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which page of a list is asked for.
 *
 * @param pageSize tasks on it
 * @param pageNumber from 1; pages by number lead only so far as tasks are counted
 * @param after where it begins, as the page before says; null for a page by its number
 */
record PageQuery(TaskSort sort, int pageSize, int pageNumber, @Nullable String after) {

  static final List<String> PARAMETERS = List.of("page", "page_size", "after");

  /** Tasks are counted, and pages have numbers, only so far. */
  static final int MAX_COUNTED = 10_000;

  static PageQuery of(QueryReader form, TaskSort sort, ApiLimits limits) {
    int size = form.pageSize(limits);
    int number = (int) form.positiveInteger("page", 1, Math.ceilDiv(MAX_COUNTED, size));
    String after = form.text("after");
    if (after != null && form.text("page") != null) {
      form.addProblem("page", "cannot stand beside 'after': keep one");
    }
    return new PageQuery(sort, size, number, cursor(form, sort, after));
  }

  private static @Nullable String cursor(QueryReader form, TaskSort sort, @Nullable String after) {
    if (after == null) {
      return null;
    }
    try {
      return sort.cursor(after).toString();
    } catch (IllegalArgumentException e) {
      form.addProblem("after", "must be as the 'Link' to this page said, in the same order");
      return null;
    }
  }

  /** How many tasks come before it. */
  int offset() {
    return after == null ? (pageNumber - 1) * pageSize : 0;
  }

  /** True when the page after it can be asked for by its number. */
  boolean hasNextNumberedPage() {
    return after == null && pageNumber < Math.ceilDiv(MAX_COUNTED, pageSize);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.TaskSort;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The page of a list that a query asks for, by number or by cursor.
 *
 * @param pageSize tasks on the page
 * @param pageNumber from 0; numbered pages end where the count ends
 * @param after the cursor from the previous page; null for a numbered page
 */
record PageQuery(TaskSort sort, int pageSize, int pageNumber, @Nullable String after) {

  static final List<String> PARAMETERS = List.of("page", "page_size", "after");

  /** Counting stops here, and so do numbered pages. */
  static final int MAX_COUNTED = 10_000;

  static PageQuery of(QueryReader query, TaskSort sort, ApiLimits limits) {
    int size = query.pageSize(limits);
    int number = (int) query.integer("page", 0, 0, lastPage(size));
    String after = query.text("after");
    if (after != null && query.text("page") != null) {
      query.addProblem("page", "cannot be combined with 'after': use only one of them");
    }
    return new PageQuery(sort, size, number, cursor(query, sort, after));
  }

  private static @Nullable String cursor(QueryReader query, TaskSort sort, @Nullable String after) {
    if (after == null) {
      return null;
    }
    try {
      return sort.cursor(after).toString();
    } catch (IllegalArgumentException e) {
      query.addProblem(
          "after",
          "is not a cursor of this list: use the 'Link' header of the previous page, with the same sort");
      return null;
    }
  }

  /** The number of tasks before this page. */
  int offset() {
    return after == null ? pageNumber * pageSize : 0;
  }

  /** True when the next page can be requested by number. */
  boolean hasNextNumberedPage() {
    return after == null && pageNumber < lastPage(pageSize);
  }

  private static int lastPage(int pageSize) {
    return Math.ceilDiv(MAX_COUNTED, pageSize) - 1;
  }
}

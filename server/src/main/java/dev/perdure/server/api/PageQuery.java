// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
import dev.perdure.server.http.Query;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which page of a list is asked for.
 *
 * @param size tasks on it
 * @param number from 1; pages by number lead only so far as tasks are counted
 * @param after where it begins, as the page before says; null for a page by its number
 */
record PageQuery(int size, int number, @Nullable String after) {

  static final List<String> NAMES = List.of("page", "page_size", "after");

  /** Tasks are counted, and pages have numbers, only so far. */
  static final int MOST_COUNTED = 10_000;

  /** Notes what is wrong, and reads it as if it were missing. */
  static PageQuery of(Query query, Problems problems, TaskLimits limits) {
    int size = number(query, problems, "page_size", limits.usualPage(), limits.mostPage());
    int number = number(query, problems, "page", 1, Math.ceilDiv(MOST_COUNTED, size));
    String after = query.value("after").orElse(null);
    UUID id = after == null ? null : TaskQuery.uuid(after);
    if (after != null && id == null) {
      problems.add("after", "'%s' is not an id".formatted(Problem.quotable(after)));
    }
    if (after != null && query.value("page").isPresent()) {
      problems.add("page", "cannot stand beside 'after': keep one");
    }
    return new PageQuery(size, number, id == null ? null : id.toString());
  }

  private static int number(Query query, Problems problems, String name, int otherwise, int most) {
    String text = query.value(name).orElse(null);
    if (text == null) {
      return otherwise;
    }
    int number = text.matches("\\d{1,6}") ? Integer.parseInt(text) : 0;
    if (number < 1 || number > most) {
      problems.add(
          name,
          "must be a whole number from 1 to %d, not '%s'".formatted(most, Problem.quotable(text)));
      return otherwise;
    }
    return number;
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

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.NearestName;
import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
import dev.perdure.server.http.Query;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which page of the audit.
 *
 * @param before only entries with smaller numbers
 * @param subject only what was done to this; null for all
 */
record AccessQuery(int size, long before, @Nullable String subject) {

  private static final List<String> KNOWN = List.of("subject", "page_size", "after");
  private static final int USUAL = 50;
  private static final int MOST = 1_000;

  /** Throws InvalidPolicyException with all problems. */
  static AccessQuery of(Query query) {
    Problems problems = new Problems();
    for (String name : query.names()) {
      if (!KNOWN.contains(name)) {
        problems.add(
            Problem.quotable(name),
            "unknown parameter%s (%s)"
                .formatted(NearestName.hint(name, KNOWN), String.join(", ", KNOWN)));
      }
    }
    long size = number(query, "page_size", USUAL, MOST, problems);
    long before = number(query, "after", Long.MAX_VALUE, Long.MAX_VALUE, problems);
    problems.throwIfAny();
    return new AccessQuery((int) size, before, query.value("subject").orElse(null));
  }

  private static long number(
      Query query, String name, long otherwise, long most, Problems problems) {
    String text = query.value(name).orElse(null);
    if (text == null) {
      return otherwise;
    }
    long number = text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    if (number < 1 || number > most) {
      problems.add(
          name,
          "must be a whole number from 1 to %d, not '%s'".formatted(most, Problem.quotable(text)));
      return otherwise;
    }
    return number;
  }
}

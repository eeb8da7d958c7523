// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Runs files of expected decisions: an array of {@code {"name", "policy", "decisions": [{"attempt",
 * "failure", "age_ms", "expect"}]}}.
 */
public final class Vectors {

  private Vectors() {}

  /**
   * How a file came out.
   *
   * @param differences one line for each decision that is not as expected, or policy that cannot be
   *     read
   */
  public record Result(int passed, List<String> differences) {

    public Result {
      differences = List.copyOf(differences);
    }
  }

  /** Compares every decision; bounds may differ by a millisecond of rounding. */
  public static Result check(JsonNode file) {
    throw new UnsupportedOperationException();
  }
}

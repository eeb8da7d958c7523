// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import dev.perdure.policy.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A scenario that makes no sense or is too large, with everything that is wrong with it. */
public final class InvalidScenarioException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final ArrayList<Problem> problems;

  InvalidScenarioException(List<Problem> problems) {
    super(
        problems.stream()
            .map(problem -> (problem.path() + " " + problem.message()).strip())
            .collect(Collectors.joining("; ", "scenario: ", "")));
    this.problems = new ArrayList<>(problems);
  }

  /** All problems, at least one, each at the field that it is about. */
  public List<Problem> problems() {
    return List.copyOf(problems);
  }
}

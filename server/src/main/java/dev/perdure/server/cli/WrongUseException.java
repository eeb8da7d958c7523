// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.Problem;
import java.util.List;

/** A call that cannot be answered: carries everything that is wrong with it. */
final class WrongUseException extends RuntimeException {

  private final transient List<Problem> problems;

  WrongUseException(List<Problem> problems) {
    super(problems.toString());
    this.problems = List.copyOf(problems);
  }

  WrongUseException(String path, String message) {
    this(List.of(new Problem(path, message)));
  }

  /** All problems, at least one. */
  List<Problem> problems() {
    return problems;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.policy.Problem;
import java.util.List;

/** Settings that cannot be: carries everything that is wrong with them. */
public final class InvalidConfigurationException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  public InvalidConfigurationException(List<Problem> problems) {
    super(problems.toString());
    this.problems = List.copyOf(problems);
  }

  /** All problems, at least one. */
  public List<Problem> problems() {
    return problems;
  }
}

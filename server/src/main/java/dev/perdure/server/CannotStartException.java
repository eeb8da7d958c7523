// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.policy.Problem;

/** What the server needs is not to be had; says what, why, and what to do. */
public final class CannotStartException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final Problem problem;

  CannotStartException(String path, String message, Throwable cause) {
    super(message, cause);
    this.problem = new Problem(path, message);
  }

  public Problem problem() {
    return problem;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.policy.FieldError;

/** The server cannot start. The message says what is missing, why, and what to do. */
public final class CannotStartException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final FieldError fieldError;

  CannotStartException(String path, String message, Throwable cause) {
    super(message, cause);
    this.fieldError = new FieldError(path, message);
  }

  /** The error with the name of the setting to change. */
  public FieldError problem() {
    return fieldError;
  }
}

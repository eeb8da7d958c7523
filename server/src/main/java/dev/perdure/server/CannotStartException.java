// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.policy.FieldError;

/** What the server needs is not to be had; says what, why, and what to do. */
public final class CannotStartException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final FieldError fieldError;

  CannotStartException(String path, String message, Throwable cause) {
    super(message, cause);
    this.fieldError = new FieldError(path, message);
  }

  public FieldError problem() {
    return fieldError;
  }
}

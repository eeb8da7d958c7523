// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.policy.FieldError;
import java.util.List;

/** The command was called with invalid options or input; carries all the errors. */
final class UsageException extends RuntimeException {

  private final transient List<FieldError> errors;

  UsageException(List<FieldError> errors) {
    super(errors.toString());
    this.errors = List.copyOf(errors);
  }

  UsageException(String path, String message) {
    this(List.of(new FieldError(path, message)));
  }

  /** All errors, at least one. */
  List<FieldError> problems() {
    return errors;
  }
}

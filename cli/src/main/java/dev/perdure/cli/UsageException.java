// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.policy.FieldError;
import java.util.List;

/** A call that cannot be answered: carries everything that is wrong with it. */
final class UsageException extends RuntimeException {

  private final transient List<FieldError> fieldErrors;

  UsageException(List<FieldError> fieldErrors) {
    super(fieldErrors.toString());
    this.fieldErrors = List.copyOf(fieldErrors);
  }

  UsageException(String path, String message) {
    this(List.of(new FieldError(path, message)));
  }

  /** All problems, at least one. */
  List<FieldError> problems() {
    return fieldErrors;
  }
}

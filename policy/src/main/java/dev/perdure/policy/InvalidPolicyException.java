// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown for an invalid policy, with all its errors. */
public final class InvalidPolicyException extends IllegalArgumentException {

  private final ArrayList<FieldError> errors;

  public InvalidPolicyException(List<FieldError> errors) {
    super(
        errors.stream()
            .map(FieldError::toString)
            .collect(Collectors.joining("; ", "invalid retry policy: ", "")));
    this.errors = new ArrayList<>(errors);
  }

  /** Returns all errors, at least one, in the order of the fields. */
  public List<FieldError> errors() {
    return List.copyOf(errors);
  }
}

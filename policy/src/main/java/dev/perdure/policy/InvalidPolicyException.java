// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A policy that cannot be: carries everything that is wrong with it, not only the first thing. */
public final class InvalidPolicyException extends IllegalArgumentException {

  private final ArrayList<FieldError> errors;

  public InvalidPolicyException(List<FieldError> fieldErrors) {
    super(
        fieldErrors.stream()
            .map(FieldError::toString)
            .collect(Collectors.joining("; ", "invalid retry policy: ", "")));
    this.errors = new ArrayList<>(fieldErrors);
  }

  /** All problems, at least one, in the order of the fields. */
  public List<FieldError> errors() {
    return List.copyOf(errors);
  }
}

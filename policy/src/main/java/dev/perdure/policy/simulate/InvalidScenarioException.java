// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import dev.perdure.policy.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown for a scenario that is invalid or too large, with all its errors. */
public final class InvalidScenarioException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final ArrayList<FieldError> errors;

  InvalidScenarioException(List<FieldError> errors) {
    super(
        errors.stream()
            .map(error -> (error.path() + " " + error.message()).strip())
            .collect(Collectors.joining("; ", "invalid scenario: ", "")));
    this.errors = new ArrayList<>(errors);
  }

  /** Returns all errors, at least one, each with the field that it is about. */
  public List<FieldError> errors() {
    return List.copyOf(errors);
  }
}

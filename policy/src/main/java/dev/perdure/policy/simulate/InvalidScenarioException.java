// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import dev.perdure.policy.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A scenario that makes no sense or is too large, with everything that is wrong with it. */
public final class InvalidScenarioException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final ArrayList<FieldError> errors;

  InvalidScenarioException(List<FieldError> fieldErrors) {
    super(
        fieldErrors.stream()
            .map(fieldError -> (fieldError.path() + " " + fieldError.message()).strip())
            .collect(Collectors.joining("; ", "scenario: ", "")));
    this.errors = new ArrayList<>(fieldErrors);
  }

  /** All problems, at least one, each at the field that it is about. */
  public List<FieldError> errors() {
    return List.copyOf(errors);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.policy.FieldError;
import java.util.List;

/** Invalid settings, with all their errors. */
public final class InvalidConfigurationException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient List<FieldError> fieldErrors;

  public InvalidConfigurationException(List<FieldError> fieldErrors) {
    super(fieldErrors.toString());
    this.fieldErrors = List.copyOf(fieldErrors);
  }

  /** All errors, at least one. */
  public List<FieldError> problems() {
    return fieldErrors;
  }
}

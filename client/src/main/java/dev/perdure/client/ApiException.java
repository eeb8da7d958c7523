// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.FieldError;
import java.util.List;
import java.util.stream.Collectors;

/** The server answered, and not as asked. */
public final class ApiException extends RuntimeException {

  private static final long serialVersionUID = 1;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int UNAVAILABLE = 503;

  private final int status;
  private final transient List<FieldError> fieldErrors;

  ApiException(int status, List<FieldError> fieldErrors) {
    super(fieldErrors.toString());
    this.status = status;
    this.fieldErrors = List.copyOf(fieldErrors);
  }

  /** What the server said, at least one. */
  public List<FieldError> problems() {
    return fieldErrors;
  }

  /** The same in a line. */
  String summary() {
    return fieldErrors.stream().map(FieldError::toString).collect(Collectors.joining("; "));
  }

  /** What was sent is wrong in itself. */
  public boolean isInvalid() {
    return status == BAD_REQUEST;
  }

  /** The question was right, and the answer is no. */
  public boolean isNotFoundOrConflict() {
    return status == NOT_FOUND || status == CONFLICT;
  }

  /** The same may be answered in a while. */
  public boolean isTemporary() {
    return status == UNAVAILABLE;
  }
}

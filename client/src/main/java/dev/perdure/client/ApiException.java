// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.FieldError;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The server refused the request: its problem document (RFC 9457) as an exception. */
public final class ApiException extends RuntimeException {

  private static final long serialVersionUID = 1;
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int INTERNAL_ERROR = 500;
  static final int UNAVAILABLE = 503;

  private final int status;
  private final String title;
  private final String detail;
  private final List<FieldError> errors;
  private final @Nullable Duration retryAfter;

  ApiException(
      int status,
      String title,
      String detail,
      List<FieldError> errors,
      @Nullable Duration retryAfter) {
    super("%d %s: %s".formatted(status, title, errors.isEmpty() ? detail : summary(errors)));
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.errors = List.copyOf(errors);
    this.retryAfter = retryAfter;
  }

  /** The same error when an earlier send of the request may have been executed. */
  ApiException withUnknownOutcome() {
    return new ApiException(status, title, detail, errors, null);
  }

  private static String summary(List<FieldError> errors) {
    return errors.stream().map(FieldError::toString).collect(Collectors.joining("; "));
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The kind of problem, such as {@code Conflict}. */
  public String title() {
    return title;
  }

  /** What is wrong with this request. */
  public String detail() {
    return detail;
  }

  /** Every invalid field with its path; empty unless the request was invalid. */
  public List<FieldError> errors() {
    return errors;
  }

  /** The request itself is invalid. */
  public boolean isInvalid() {
    return status == BAD_REQUEST;
  }

  /** The server needs an API key, or does not know the one it was sent. */
  public boolean isUnauthorized() {
    return status == UNAUTHORIZED;
  }

  public boolean isNotFound() {
    return status == NOT_FOUND;
  }

  /** The task's state does not allow the request, or its lease is over. */
  public boolean isConflict() {
    return status == CONFLICT;
  }

  /** How long to wait before the next request, if the server says so. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /**
   * The server is busy or its database is unavailable. Nothing was changed, so you can send the
   * request again after {@link #retryAfter}.
   */
  public boolean isTemporary() {
    return status == UNAVAILABLE && retryAfter != null;
  }

  /**
   * Whether the server may have executed the request. When true, check the task first, or repeat
   * only idempotent requests.
   */
  public boolean outcomeUnknown() {
    return status >= INTERNAL_ERROR && retryAfter == null;
  }
}

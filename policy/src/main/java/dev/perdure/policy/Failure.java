// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why an attempt failed. A policy sees nothing else about the failure.
 *
 * @param status the HTTP status, or {@link #NO_STATUS}
 * @param code an application-specific code, such as {@code no_slots}
 * @param exceptionTypes the full names of the exception's class and its supertypes, nearest first
 * @param retryAfter the delay that a server asked for; the policy decides whether to honor it
 * @param requestedDelay the delay that the work itself or an operator asked for; always honored
 * @param permanent true if trying again cannot help
 */
public record Failure(
    FailureKind kind,
    int status,
    @Nullable String code,
    List<String> exceptionTypes,
    @Nullable Duration retryAfter,
    @Nullable Duration requestedDelay,
    boolean permanent,
    @Nullable String message) {

  /** The status of a failure without an HTTP status. */
  public static final int NO_STATUS = 0;

  public Failure {
    requireNonNull(kind, "kind");
    if (status != NO_STATUS) {
      MatcherText.requireStatus(status);
    }
    exceptionTypes = List.copyOf(exceptionTypes);
  }

  /** Creates a failure of this kind with no further details. */
  public static Failure of(FailureKind kind) {
    return new Failure(kind, NO_STATUS, null, List.of(), null, null, false, null);
  }

  /** Creates a failure for work that did not finish in time. */
  public static Failure timeout() {
    return of(FailureKind.TIMEOUT);
  }

  /** Creates a failure that the work reported itself, with its own code. */
  public static Failure explicit(String code) {
    return of(FailureKind.EXPLICIT).withCode(code);
  }

  /** Creates a failure for an in-process HTTP call that returned this status. */
  public static Failure http(int status) {
    return of(FailureKind.HTTP).withStatus(status);
  }

  /** Creates a failure for an exception that the work threw. */
  public static Failure exception(Throwable thrown) {
    return new Failure(
        FailureKind.EXCEPTION,
        NO_STATUS,
        null,
        ExceptionTypes.of(thrown.getClass()),
        null,
        null,
        false,
        messageOf(thrown));
  }

  /** Returns null if {@code getMessage} itself throws: the attempt must still count as failed. */
  private static @Nullable String messageOf(Throwable thrown) {
    try {
      return thrown.getMessage();
    } catch (RuntimeException e) {
      return null;
    }
  }

  public boolean hasStatus() {
    return status != NO_STATUS;
  }

  public Failure withStatus(int value) {
    return new Failure(
        kind, value, code, exceptionTypes, retryAfter, requestedDelay, permanent, message);
  }

  public Failure withCode(@Nullable String value) {
    return new Failure(
        kind, status, value, exceptionTypes, retryAfter, requestedDelay, permanent, message);
  }

  public Failure withExceptionTypes(List<String> value) {
    return new Failure(kind, status, code, value, retryAfter, requestedDelay, permanent, message);
  }

  public Failure withRetryAfter(@Nullable Duration value) {
    return new Failure(
        kind, status, code, exceptionTypes, value, requestedDelay, permanent, message);
  }

  public Failure withRequestedDelay(@Nullable Duration value) {
    return new Failure(kind, status, code, exceptionTypes, retryAfter, value, permanent, message);
  }

  public Failure withPermanent(boolean value) {
    return new Failure(
        kind, status, code, exceptionTypes, retryAfter, requestedDelay, value, message);
  }

  public Failure withMessage(@Nullable String value) {
    return new Failure(
        kind, status, code, exceptionTypes, retryAfter, requestedDelay, permanent, value);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why an attempt failed: everything a policy may look at.
 *
 * @param status an HTTP status, or {@link #NO_STATUS}
 * @param code a word of the application's own, such as {@code no_slots}
 * @param exceptionTypes full names of the exception's class and its supertypes, nearest first
 * @param retryAfter how long a server asked us to wait; a policy may honour it
 * @param requestedDelay how long the work itself, or an operator, wants to wait; it always holds
 * @param permanent true when trying again cannot help
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

  /** The status of a failure that has none. */
  public static final int NO_STATUS = 0;

  public Failure {
    requireNonNull(kind, "kind");
    if (status != NO_STATUS) {
      MatcherText.requireStatus(status);
    }
    exceptionTypes = List.copyOf(exceptionTypes);
  }

  /** A failure of this kind, with nothing more known about it. */
  public static Failure of(FailureKind kind) {
    return new Failure(kind, NO_STATUS, null, List.of(), null, null, false, null);
  }

  /** Nobody answered in time. */
  public static Failure timeout() {
    return of(FailureKind.TIMEOUT);
  }

  /** The work said that it failed, with a code of its own. */
  public static Failure explicit(String code) {
    return of(FailureKind.EXPLICIT).withCode(code);
  }

  /** An HTTP call of this process was answered with this status. */
  public static Failure http(int status) {
    return of(FailureKind.HTTP).withStatus(status);
  }

  /** The work threw this. */
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

  /** An exception that cannot say its message has failed all the same. */
  private static @Nullable String messageOf(Throwable thrown) {
    try {
      return thrown.getMessage();
    } catch (RuntimeException unspeakable) {
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

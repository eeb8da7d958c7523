// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened in an attempt.
 *
 * @param failureKind the kind of the failure; null unless it failed
 * @param status the HTTP status, or {@link Failure#NO_STATUS}
 * @param stack the stack trace, truncated
 * @param delay the delay before the next attempt
 * @param result the handler's result as JSON
 */
public record AttemptDetails(
    AttemptOutcome outcome,
    @Nullable String failureKind,
    int status,
    @Nullable String code,
    @Nullable String message,
    List<String> exceptionTypes,
    @Nullable String stack,
    @Nullable Duration delay,
    @Nullable String result) {

  public AttemptDetails {
    exceptionTypes = List.copyOf(exceptionTypes);
  }

  public static AttemptDetails of(AttemptOutcome outcome) {
    return of(outcome, null);
  }

  public static AttemptDetails of(AttemptOutcome outcome, @Nullable String message) {
    return new AttemptDetails(
        outcome, null, Failure.NO_STATUS, null, message, List.of(), null, null, null);
  }

  public static AttemptDetails success(@Nullable String result) {
    return new AttemptDetails(
        AttemptOutcome.SUCCESS, null, Failure.NO_STATUS, null, null, List.of(), null, null, result);
  }

  /** A failed task that an operator marked as succeeded. */
  public static AttemptDetails resolved(@Nullable String result, String reason) {
    return new AttemptDetails(
        AttemptOutcome.RESOLVED,
        null,
        Failure.NO_STATUS,
        null,
        reason,
        List.of(),
        null,
        null,
        result);
  }

  /** A failed attempt, with the delay before the next one if there is one. */
  public static AttemptDetails failure(
      Failure failure, @Nullable String stack, @Nullable Duration delay) {
    return new AttemptDetails(
        AttemptOutcome.FAILURE,
        failure.kind().text(),
        failure.status(),
        failure.code(),
        failure.message(),
        failure.exceptionTypes(),
        stack,
        delay,
        null);
  }

  /** The failure as far as it is stored; null unless the attempt failed. */
  public @Nullable Failure failure() {
    if (failureKind == null) {
      return null;
    }
    return Failure.of(FailureKind.of(failureKind).orElse(FailureKind.EXPLICIT))
        .withStatus(status)
        .withCode(code)
        .withExceptionTypes(exceptionTypes)
        .withMessage(message);
  }

  public AttemptDetails withDelay(Duration value) {
    return new AttemptDetails(
        outcome, failureKind, status, code, message, exceptionTypes, stack, value, result);
  }
}

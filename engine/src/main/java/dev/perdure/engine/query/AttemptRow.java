// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;

/**
 * An attempt as lists show it: without its stack trace and its result, because an endless policy
 * leaves thousands of attempts.
 *
 * @param hasStack true if {@link TaskReader#attempt} shows a stack trace
 */
public record AttemptRow(Attempt attempt, boolean hasStack) {

  /** The row of this attempt, which is complete. */
  public static AttemptRow of(Attempt attempt) {
    AttemptDetails details = attempt.details();
    AttemptDetails small =
        new AttemptDetails(
            details.outcome(),
            details.failureKind(),
            details.status(),
            details.code(),
            details.message(),
            details.exceptionTypes(),
            null,
            details.delay(),
            null);
    return new AttemptRow(
        new Attempt(
            attempt.task(),
            attempt.epoch(),
            attempt.number(),
            attempt.worker(),
            attempt.startedAt(),
            attempt.endedAt(),
            small,
            attempt.nextAttemptAt()),
        details.stack() != null);
  }
}

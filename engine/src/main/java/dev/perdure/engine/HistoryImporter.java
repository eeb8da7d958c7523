// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.ImportedHistory;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.DueTime;
import dev.perdure.policy.FailedAttempt;
import dev.perdure.policy.Failure;
import dev.perdure.policy.HandOverRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Converts attempts that were made in process to the history of a task. */
final class HistoryImporter {

  /** The worker that is recorded for attempts made in process. */
  static final String WORKER = "in-process";

  private HistoryImporter() {}

  static ImportedHistory of(HandOverRequest work) {
    return new ImportedHistory(
        WORKER, work.age(), work.failedAttempts().stream().map(HistoryImporter::attempt).toList());
  }

  /** The delay counts from the end of the last attempt, as it would have in the process. */
  static DueTime due(HandOverRequest work) {
    FailedAttempt last = work.failedAttempts().getLast();
    Duration left = last.delay().minus(last.endedAgo());
    return left.isNegative() ? DueTime.now() : DueTime.in(left);
  }

  private static ImportedHistory.PriorAttempt attempt(FailedAttempt failed) {
    AttemptDetails details = AttemptDetails.failure(failure(failed), stack(failed), failed.delay());
    return new ImportedHistory.PriorAttempt(
        failed.number(), failed.startedAgo(), failed.endedAgo(), details);
  }

  private static Failure failure(FailedAttempt failed) {
    String message = failed.failure().message();
    return message == null
        ? failed.failure()
        : failed
            .failure()
            .withMessage(
                FailureConverter.truncate(message, FailureConverter.MAX_MESSAGE_CHARACTERS));
  }

  private static @Nullable String stack(FailedAttempt failed) {
    return failed.thrown() == null ? null : FailureConverter.stack(failed.thrown());
  }
}

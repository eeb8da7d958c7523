// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.ErrorFingerprint;
import dev.perdure.engine.task.TaskGiveUpReason;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that failed for the same reason, or all that failed of one kind.
 *
 * @param error the {@link ErrorFingerprint} of its newest task; null for tasks that failed before
 *     errors were recorded, which are grouped by the kind of their failure
 * @param failureKind the kind of failure of tasks without an error; else null
 * @param capped true when there are more tasks than were counted
 * @param firstAt when the first of the counted tasks failed
 * @param spark how many failed in each part of the time, oldest first
 * @param sample the newest task
 * @param sampleAttempt its last attempt; null when there is none
 */
public record ErrorGroup(
    @Nullable String error,
    @Nullable String failureKind,
    Map<String, Long> kinds,
    Map<String, Long> giveUpReasons,
    long count,
    boolean capped,
    Instant firstAt,
    Instant lastAt,
    List<Long> spark,
    @Nullable UUID sample,
    @Nullable Attempt sampleAttempt) {

  /** The message with placeholders, or what else is known of the error. */
  public String title() {
    AttemptDetails details = sampleAttempt == null ? null : sampleAttempt.details();
    ErrorFingerprint failed = details == null ? null : ErrorFingerprint.of(details);
    if (failed != null && (error == null || error.equals(failed.id()))) {
      return failed.title();
    }
    return Stream.of(TaskGiveUpReason.values())
        .map(ErrorFingerprint::of)
        .filter(reason -> reason.id().equals(error))
        .findFirst()
        .map(ErrorFingerprint::title)
        .orElse(failureKind == null ? "failure" : failureKind.replace('_', ' '));
  }
}

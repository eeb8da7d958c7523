// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One run of a batch.
 *
 * @param number from 0
 * @param endedAt when it was decided that the run has ended; null while it runs
 * @param outcome null while it runs
 * @param failure why it failed; null unless it did
 * @param giveUpReason why there is no further run; null when there is one, or when it did not fail
 * @param delay the delay before the next run; null when there is none
 * @param nextRunAt when the next run starts; null when none waits
 */
public record BatchRun(
    int number,
    Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable BatchOutcome outcome,
    @Nullable RunFailure failure,
    @Nullable TaskGiveUpReason giveUpReason,
    @Nullable Duration delay,
    @Nullable Instant nextRunAt) {

  /** The earliest failure of the run that was not caused by another one. */
  public record RunFailure(UUID task, @Nullable String kind, @Nullable String reason) {}

  /** True when the batch is final with this run. */
  public boolean isFinal() {
    return outcome != null && nextRunAt == null;
  }
}

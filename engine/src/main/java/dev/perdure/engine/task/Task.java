// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task as the store has it.
 *
 * @param batch the submission it came with
 * @param run which run of the batch, from 0
 * @param hold why it is not claimed: bits of {@link HoldFlags}
 * @param epoch the number of its last lease; it only grows
 * @param worker the node or remote worker that holds the lease; null when none does, and while the
 *     work is handed off to a callee
 * @param handleEpoch the first lease of the current attempt, for tasks with a queue: a handle given
 *     to a callee is bound to it and stays valid when the same attempt starts again
 * @param cancelAction JSON that says how to stop the callee the work was handed off to
 */
public record Task(
    UUID id,
    UUID batch,
    int run,
    TaskDefinition definition,
    TaskState state,
    int hold,
    long epoch,
    @Nullable String worker,
    @Nullable Long handleEpoch,
    @Nullable String cancelAction,
    RetryCounters retryCounters,
    TaskTimes times,
    Progress progress,
    LastResult lastResult) {

  public boolean paused() {
    return HoldFlags.isSet(hold, HoldFlags.PAUSED);
  }

  /** As it stands in a list. */
  public TaskRow row() {
    return TaskRow.of(this);
  }

  /** What people are shown: {@code Paused} while it is kept from being claimed, else its state. */
  public String status() {
    return row().status();
  }

  /** When the retry that waits is due; null when none does. */
  public @Nullable Instant nextRetryAt() {
    return row().nextRetryAt();
  }

  /** How many retries the policy has left; null when there is no limit. See {@link TaskRow}. */
  public @Nullable Long retriesLeft() {
    return row().retriesLeft();
  }

  /** The same with these items counted too. */
  public Task withCounterDelta(CounterDelta more) {
    return new Task(
        id,
        batch,
        run,
        definition,
        state,
        hold,
        epoch,
        worker,
        handleEpoch,
        cancelAction,
        retryCounters,
        times,
        progress.plus(more),
        lastResult);
  }

  public LeaseKey lease() {
    return new LeaseKey(id, epoch);
  }

  /**
   * The trace that it belongs to, the same for all its attempts: at the span of the submitter, or,
   * when that was in none, a trace of its own.
   */
  public TraceContext trace() {
    return row().trace();
  }

  /** The same trace at the span of the last lease. */
  public TraceContext attemptTrace() {
    return trace().at(lease());
  }
}

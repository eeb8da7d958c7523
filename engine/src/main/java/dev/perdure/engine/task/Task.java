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
 * @param custody in whose hands it is
 */
public record Task(
    UUID id,
    UUID batch,
    int run,
    TaskDefinition definition,
    TaskState state,
    int hold,
    Custody custody,
    RetryCounters retryCounters,
    TaskTimes times,
    Progress progress,
    LastResult lastResult) {

  /** The last lease; only grows. */
  public long epoch() {
    return custody.epoch();
  }

  /** Who holds it, or null. */
  public @Nullable String worker() {
    return custody.worker();
  }

  /** What handles of this attempt are bound to; null for tasks without a lane. */
  public @Nullable Long handleEpoch() {
    return custody.handleEpoch();
  }

  /** How the callee that it is entrusted to is told to stop, JSON. */
  public @Nullable String cancelAction() {
    return custody.cancelAction();
  }

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
  Task withCounterDelta(CounterDelta more) {
    return new Task(
        id,
        batch,
        run,
        definition,
        state,
        hold,
        custody,
        retryCounters,
        times,
        progress.plus(more),
        lastResult);
  }

  public LeaseKey lease() {
    return new LeaseKey(id, epoch());
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

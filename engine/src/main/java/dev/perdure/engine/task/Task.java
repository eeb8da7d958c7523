// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task as the store has it.
 *
 * @param batch the submission it belongs to
 * @param run the run of the batch, from 0
 * @param hold what keeps it from being claimed; empty when nothing does
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
    Set<HoldReason> hold,
    long epoch,
    @Nullable String worker,
    @Nullable Long handleEpoch,
    @Nullable String cancelAction,
    RetryCounters retryCounters,
    TaskTimes times,
    Progress progress,
    LastResult lastResult,
    DependencyCounts dependencies) {

  public boolean paused() {
    return hold.contains(HoldReason.PAUSED);
  }

  /** True while no handler can read or run it; the failure reason of its last result says why. */
  public boolean parked() {
    return row().parked();
  }

  /** The task without its payload, actions and result, as lists show it. */
  public TaskRow row() {
    return TaskRow.of(this);
  }

  /** The status to show. */
  public DisplayStatus status() {
    return row().status();
  }

  /** When the waiting retry is due; null when none waits. */
  public @Nullable Instant nextRetryAt() {
    return row().nextRetryAt();
  }

  /** How many retries are left; null when there is no limit. See {@link TaskRow#retriesLeft()}. */
  public @Nullable Long retriesLeft() {
    return row().retriesLeft();
  }

  /** A copy with these items added to the counters. */
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
        lastResult,
        dependencies);
  }

  public LeaseKey lease() {
    return new LeaseKey(id, epoch);
  }

  /**
   * The trace that all attempts of the task belong to, at the submitter's span. A task that was
   * submitted outside a trace has one of its own.
   */
  public TraceContext trace() {
    return row().trace();
  }

  /** The same trace at the span of the last lease. */
  public TraceContext attemptTrace() {
    return trace().at(lease());
  }
}

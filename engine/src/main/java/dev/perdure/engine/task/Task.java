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
 * @param hold why it is not claimed: bits of {@link Hold}
 * @param custody in whose hands it is
 */
public record Task(
    UUID id,
    UUID batch,
    int run,
    Definition definition,
    TaskState state,
    int hold,
    Custody custody,
    Counting counting,
    Times times,
    Progress progress,
    Ending ending) {

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
    return Hold.has(hold, Hold.PAUSED);
  }

  /** What people are shown: {@code Paused} while it is kept from being claimed, else its state. */
  public String status() {
    boolean keptBack = paused() && state.isLive() && !state.isHeld();
    return keptBack ? "Paused" : state.title();
  }

  /** When the retry that waits is due; null when none does. */
  public @Nullable Instant nextRetryAt() {
    return state == TaskState.RETRY_PENDING ? times.dueAt() : null;
  }

  /**
   * How many retries the policy has left after the attempt that runs or comes next; null when there
   * is no limit. What overrides say about single failures is not looked at.
   */
  public @Nullable Long retriesLeft() {
    return state.isTerminal()
        ? Long.valueOf(0)
        : Policies.retriesLeft(definition.policy(), counting.policyAttempt());
  }

  public LeaseKey lease() {
    return new LeaseKey(id, epoch());
  }

  /**
   * The trace that it belongs to, the same for all its attempts: at the span of the submitter, or,
   * when that was in none, a trace of its own.
   */
  public TraceContext trace() {
    TraceContext given = definition.wiring().trace();
    return given == null ? TraceContext.of(id) : given;
  }

  /** The same trace at the span of the last lease. */
  public TraceContext attemptTrace() {
    return trace().at(lease());
  }
}

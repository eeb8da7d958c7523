// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task as it stands in a list: without its payload, its actions and its result, which may be
 * megabytes each while a page has a thousand tasks.
 *
 * @param batch the submission it came with
 * @param run which run of the batch, from 0
 * @param hold why it is not claimed: bits of {@link Hold}
 * @param worker who holds it, or null
 * @param failure the last one, and why it was given up
 */
public record TaskRow(
    UUID id,
    UUID batch,
    int run,
    Heading heading,
    TaskState state,
    int hold,
    long epoch,
    @Nullable String worker,
    Counting counting,
    Times times,
    Progress progress,
    LastFailure failure) {

  /**
   * What is known of the last failure; all null while an attempt is under way.
   *
   * @param kind its kind
   * @param reason its message
   * @param code its code
   * @param giveUpReason why there is no further attempt
   */
  public record LastFailure(
      @Nullable String kind,
      @Nullable String reason,
      @Nullable String code,
      @Nullable EndReason giveUpReason) {}

  public static TaskRow of(Task task) {
    Ending ending = task.ending();
    return new TaskRow(
        task.id(),
        task.batch(),
        task.run(),
        Heading.of(task.definition()),
        task.state(),
        task.hold(),
        task.epoch(),
        task.worker(),
        task.counting(),
        task.times(),
        task.progress(),
        new LastFailure(
            ending.failureKind(),
            ending.failureReason(),
            ending.failureCode(),
            ending.giveUpReason()));
  }

  public LeaseKey lease() {
    return new LeaseKey(id, epoch);
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
        : Policies.retriesLeft(heading.policy(), counting.policyAttempt());
  }

  /**
   * The trace that it belongs to, the same for all its attempts: at the span of the submitter, or,
   * when that was in none, a trace of its own.
   */
  public TraceContext trace() {
    TraceContext given = heading.trace();
    return given == null ? TraceContext.of(id) : given;
  }
}

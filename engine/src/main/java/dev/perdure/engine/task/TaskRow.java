// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task as it stands in a list: without its payload, its actions and its result, which may be
 * megabytes each while a page has a thousand tasks.
 *
 * @param batch the submission it came with
 * @param run which run of the batch, from 0
 * @param hold why it is not claimed: bits of {@link HoldFlags}
 * @param worker who holds it, or null
 * @param failure the last one, and why it was given up
 */
public record TaskRow(
    UUID id,
    UUID batch,
    int run,
    TaskHeader header,
    TaskState state,
    int hold,
    long epoch,
    @Nullable String worker,
    RetryCounters retryCounters,
    TaskTimes times,
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
      @Nullable TaskGiveUpReason giveUpReason) {}

  public static TaskRow of(Task task) {
    LastResult lastResult = task.lastResult();
    return new TaskRow(
        task.id(),
        task.batch(),
        task.run(),
        TaskHeader.of(task.definition()),
        task.state(),
        task.hold(),
        task.epoch(),
        task.worker(),
        task.retryCounters(),
        task.times(),
        task.progress(),
        new LastFailure(
            lastResult.failureKind(),
            lastResult.failureReason(),
            lastResult.failureCode(),
            lastResult.giveUpReason()));
  }

  public LeaseKey lease() {
    return new LeaseKey(id, epoch);
  }

  public boolean paused() {
    return HoldFlags.isSet(hold, HoldFlags.PAUSED);
  }

  /** What people are shown: {@code Paused} while it is kept from being claimed, else its state. */
  public String status() {
    boolean keptBack = paused() && state.isLive() && !state.isLeased();
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
    String stored = header.policy();
    if (state.isTerminal() || stored == null) {
      return 0L;
    }
    try {
      long max = maxRetries(PolicyJson.read(stored));
      return max == Long.MAX_VALUE ? null : Math.max(0, max - retryCounters.policyAttempt());
    } catch (InvalidPolicyException unreadable) {
      return 0L;
    }
  }

  private static long maxRetries(RetryPolicy policy) {
    long max = policy.maxRetries().unlimited() ? Long.MAX_VALUE : policy.maxRetries().retries();
    return policy.backoff() instanceof Backoff.Ladder ladder && !ladder.endless()
        ? Math.min(max, ladder.steps().stream().mapToLong(Backoff.Step::count).sum())
        : max;
  }

  /**
   * The trace that it belongs to, the same for all its attempts: at the span of the submitter, or,
   * when that was in none, a trace of its own.
   */
  public TraceContext trace() {
    TraceContext given = header.trace();
    return given == null ? TraceContext.of(id) : given;
  }
}

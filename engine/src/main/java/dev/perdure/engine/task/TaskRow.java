// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.LadderPosition;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task as lists show it: without its payload, actions and result, which can be megabytes each; a
 * page has up to 1,000 tasks.
 *
 * @param batch the submission it belongs to
 * @param run the run of the batch, from 0
 * @param hold what keeps it from being claimed; empty when nothing does
 * @param worker the owner of the lease; null when there is none
 * @param failure the last failure, and why the task was given up
 */
public record TaskRow(
    UUID id,
    UUID batch,
    int run,
    TaskHeader header,
    TaskState state,
    Set<HoldReason> hold,
    long epoch,
    @Nullable String worker,
    RetryCounters retryCounters,
    TaskTimes times,
    Progress progress,
    LastFailure failure,
    DependencyCounts dependencies) {

  /**
   * The last failure; all null while an attempt runs.
   *
   * @param reason its message; for a parked task, why it is parked
   * @param giveUpReason why there is no further attempt
   * @param error its {@link ErrorFingerprint}
   */
  public record LastFailure(
      @Nullable String kind,
      @Nullable String reason,
      @Nullable String code,
      @Nullable TaskGiveUpReason giveUpReason,
      @Nullable String error) {}

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
            lastResult.giveUpReason(),
            lastResult.error()),
        task.dependencies());
  }

  public LeaseKey lease() {
    return new LeaseKey(id, epoch);
  }

  public boolean paused() {
    return hold.contains(HoldReason.PAUSED);
  }

  /** True while no handler can read or run it; the reason of its last failure says why. */
  public boolean parked() {
    return state.isLive() && hold.contains(HoldReason.PARKED);
  }

  /** The status to show. */
  public DisplayStatus status() {
    return DisplayStatus.of(state, hold);
  }

  /** When the waiting retry is due; null when none waits. */
  public @Nullable Instant nextRetryAt() {
    return state == TaskState.RETRY_PENDING ? times.dueAt() : null;
  }

  /**
   * How many retries the policy has left after the current or next attempt; null when there is no
   * limit. Overrides for single failures are not considered.
   */
  public @Nullable Long retriesLeft() {
    if (state.isTerminal()) {
      return 0L;
    }
    long max = maxRetries(policy());
    return max == Long.MAX_VALUE ? null : Math.max(0, max - retryCounters.policyAttempt());
  }

  /**
   * The position of the waiting or running retry in the policy; null for a first attempt and for a
   * task that has ended. Overrides for single failures are not considered.
   */
  public @Nullable LadderPosition ladderPosition() {
    long retry = retryCounters.policyAttempt();
    return state.isTerminal() || retry == 0 ? null : LadderPosition.of(policy(), retry);
  }

  /** Like {@link #ladderPosition()}, but null too if the policy has no ladder. */
  public @Nullable LadderPosition place() {
    return policy().backoff() instanceof Backoff.Ladder ? ladderPosition() : null;
  }

  private RetryPolicy policy() {
    try {
      return header.policy() == null ? RetryPolicy.none() : PolicyJson.read(header.policy());
    } catch (InvalidPolicyException unreadable) {
      return RetryPolicy.none();
    }
  }

  private static long maxRetries(RetryPolicy policy) {
    long max = policy.maxRetries().unlimited() ? Long.MAX_VALUE : policy.maxRetries().retries();
    return policy.backoff() instanceof Backoff.Ladder ladder && !ladder.endless()
        ? Math.min(max, ladder.steps().stream().mapToLong(Backoff.Step::count).sum())
        : max;
  }

  /**
   * The trace that all attempts of the task belong to, at the submitter's span. A task that was
   * submitted outside a trace has one of its own.
   */
  public TraceContext trace() {
    TraceContext given = header.trace();
    return given == null ? TraceContext.of(id) : given;
  }
}

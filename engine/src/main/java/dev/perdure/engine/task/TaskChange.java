// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A decided change of one task. {@code TaskLifecycle} decides everything in it; a store only checks
 * the guard and writes, in one transaction: state, counters, instants, the record of the attempt
 * and the deliveries.
 *
 * <p>The following is derived by the store. The owner stays while {@code to} is {@link
 * TaskState#isLeased() leased}, except after {@link TaskEvent#HAND_OFF}, which leaves the task
 * running without an owner; its inactivity timeout counts from there. The handle epoch is cleared
 * when the attempt number grows, the cancel action when no attempt runs any more. {@code ended_at}
 * is set when {@code to} is terminal and cleared otherwise.
 *
 * @param due when the task is due; an unchanged due time in the past becomes now if the change
 *     {@linkplain #restartsExpiry restarts the expiry}, which would otherwise be over
 * @param giveUpReason why there is no further attempt; only with {@link TaskState#FAILURE}
 * @param attemptDetails the record of the lease that this change ends; null when it ends none
 * @param cancelAction only with {@link TaskEvent#HAND_OFF}: how to stop the callee
 * @param deliveries the deliveries that this change causes
 * @param counterDelta what to add to the counters; the store refuses the whole change when a
 *     counter would overflow
 */
public record TaskChange(
    UUID task,
    Guard guard,
    TaskEvent event,
    TaskState to,
    DueTime due,
    RetryCounters retryCounters,
    HoldChange holdChange,
    @Nullable TaskGiveUpReason giveUpReason,
    @Nullable AttemptDetails attemptDetails,
    @Nullable String cancelAction,
    List<NewDelivery> deliveries,
    CounterDelta counterDelta) {

  public TaskChange {
    deliveries = List.copyOf(deliveries);
    boolean recordable = guard.from().isLeased() || event == TaskEvent.RESOLVE;
    if (attemptDetails != null && !recordable) {
      throw new IllegalArgumentException(
          "attemptDetails: must be null for a task that is not leased, which is " + guard.from());
    }
    if ((giveUpReason != null) != (to == TaskState.FAILURE && guard.from().isLive())) {
      throw new IllegalArgumentException(
          "giveUpReason: must be set exactly when a live task fails, not "
              + giveUpReason
              + " for "
              + to);
    }
  }

  public TaskChange withDeliveries(List<NewDelivery> value) {
    return with(value, counterDelta);
  }

  /** A copy that also adds these items to the counters. */
  public TaskChange withCounterDelta(CounterDelta more) {
    return with(deliveries, more);
  }

  private TaskChange with(List<NewDelivery> newDeliveries, CounterDelta added) {
    return new TaskChange(
        task,
        guard,
        event,
        to,
        due,
        retryCounters,
        holdChange,
        giveUpReason,
        attemptDetails,
        cancelAction,
        newDeliveries,
        added);
  }

  public LeaseKey lease() {
    return new LeaseKey(task, guard.epoch());
  }

  /**
   * The {@link ErrorFingerprint} of the failure that this change records, or null if it records
   * none. A task that has an error, because a retry was waiting, keeps that one.
   */
  public @Nullable String error() {
    ErrorFingerprint failed = attemptDetails == null ? null : ErrorFingerprint.of(attemptDetails);
    if (failed == null && giveUpReason != null) {
      failed = ErrorFingerprint.of(giveUpReason);
    }
    return failed == null ? null : failed.id();
  }

  /** True when the attempt continues at a callee, without an owner. */
  public boolean handsOff() {
    return event == TaskEvent.HAND_OFF;
  }

  /** True when the retry policy starts over. */
  public boolean resetsRetries() {
    return guard.from().isTerminal() && to.isLive();
  }

  /** True when the task no longer depends on other tasks. */
  public boolean waivesDependencies() {
    return event == TaskEvent.REVIVE_IGNORING_DEPENDENCIES;
  }

  /** Returns whether the task ends, comes back after its end, or gets another end. */
  public boolean endsOrRevives() {
    return to.isTerminal() || guard.from().isTerminal();
  }

  /**
   * The epoch of the attempt record that the change writes: that of the lease it ends. An operator
   * who resolves a task ends no lease; the record then gets the next epoch.
   */
  public long recordEpoch() {
    return guard.epoch() + (event == TaskEvent.RESOLVE ? 1 : 0);
  }

  /**
   * True when the expiry of the policy counts from the new due time: after a revive, and when a
   * task is rescheduled that has not failed yet. Otherwise a task that is moved to next week would
   * be expired before its first retry.
   */
  public boolean restartsExpiry() {
    boolean neverFailed = retryCounters.policyAttempt() == 0;
    return resetsRetries() || (event == TaskEvent.RESCHEDULE && neverFailed);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import dev.perdure.engine.internal.TaskLifecycle;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One decided change of one task. Everything in it was decided by {@link TaskLifecycle}; a store
 * only checks the guard and writes, in one transaction: state, numbers, instants, the attempt's
 * record and the deliveries.
 *
 * <p>Whoever held the task holds it on when {@code to} is {@link TaskState#isLeased() held} and no
 * longer otherwise; but nobody holds what {@link TaskEvent#HAND_OFF} leaves running, and its
 * silence counts from there. What a handle is bound to goes when the attempt's number grows, the
 * cancel action when nothing runs any more. {@code ended_at} is set when {@code to} is terminal and
 * cleared otherwise.
 *
 * @param due when it is due now; a change that revives also counts the expiry from there
 * @param holdChange what keeps it from being claimed now
 * @param giveUpReason why there is no further attempt; only with {@link TaskState#FAILURE}
 * @param attemptDetails the record of the lease that ends with it, or null when none does
 * @param cancelAction only with {@link TaskEvent#HAND_OFF}: how the callee is told to stop
 * @param deliveries what the world outside is told of it
 * @param counterDelta what is added to the counters; one that does not fit makes the whole change
 *     refused
 */
public record TaskChange(
    UUID task,
    Guard guard,
    TaskEvent event,
    TaskState to,
    Due due,
    RetryCounters retryCounters,
    HoldChange holdChange,
    @Nullable TaskGiveUpReason giveUpReason,
    @Nullable AttemptDetails attemptDetails,
    @Nullable String cancelAction,
    List<NewDelivery> deliveries,
    CounterDelta counterDelta) {

  public TaskChange {
    deliveries = List.copyOf(deliveries);
    if (attemptDetails != null && !guard.from().isLeased()) {
      throw new IllegalArgumentException("only a lease leaves a record, not " + guard.from());
    }
    if ((giveUpReason != null) != (to == TaskState.FAILURE && guard.from().isLive())) {
      throw new IllegalArgumentException(
          "a reason belongs to a failure: " + to + ", " + giveUpReason);
    }
  }

  public TaskChange withDeliveries(List<NewDelivery> news) {
    return with(news, counterDelta);
  }

  /** The same, which also adds this to the counters. */
  public TaskChange withCounterDelta(CounterDelta more) {
    return with(deliveries, more);
  }

  private TaskChange with(List<NewDelivery> news, CounterDelta added) {
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
        news,
        added);
  }

  public LeaseKey lease() {
    return new LeaseKey(task, guard.epoch());
  }

  /** True when the attempt goes on elsewhere, in nobody's hands. */
  public boolean handsOff() {
    return event == TaskEvent.HAND_OFF;
  }

  /** True when the policy counts from here. */
  public boolean resetsRetries() {
    return event == TaskEvent.REVIVE || event == TaskEvent.REVIVE_WAITING;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One decided change of one task. Everything in it was decided by {@link Lifecycle}; a store only
 * checks the guard and writes, in one transaction: state, numbers, instants, the attempt's record
 * and the deliveries.
 *
 * <p>Whoever held the task holds it on when {@code to} is {@link TaskState#isHeld() held} and no
 * longer otherwise; but nobody holds what {@link TaskEvent#ENTRUST} leaves running, and its silence
 * counts from there. What a handle is bound to goes when the attempt's number grows, the cancel
 * action when nothing runs any more. {@code ended_at} is set when {@code to} is terminal and
 * cleared otherwise.
 *
 * @param due when it is due now; a change that revives also counts the expiry from there
 * @param holding what keeps it from being claimed now
 * @param reason why there is no further attempt; only with {@link TaskState#FAILURE}
 * @param note the record of the lease that ends with it, or null when none does
 * @param cancelAction only with {@link TaskEvent#ENTRUST}: how the callee is told to stop
 * @param deliveries what the world outside is told of it
 * @param tally what is added to the counters; one that does not fit makes the whole change refused
 */
public record Change(
    UUID task,
    Guard guard,
    TaskEvent event,
    TaskState to,
    Due due,
    Counting counting,
    Holding holding,
    @Nullable EndReason reason,
    @Nullable AttemptNote note,
    @Nullable String cancelAction,
    List<NewDelivery> deliveries,
    Tally tally) {

  public Change {
    deliveries = List.copyOf(deliveries);
    if (note != null && !guard.from().isHeld()) {
      throw new IllegalArgumentException("only a lease leaves a record, not " + guard.from());
    }
    if ((reason != null) != (to == TaskState.FAILURE && guard.from().isLive())) {
      throw new IllegalArgumentException("a reason belongs to a failure: " + to + ", " + reason);
    }
  }

  Change telling(List<NewDelivery> news) {
    return with(news, tally);
  }

  /** The same, which also adds this to the counters. */
  public Change adding(Tally more) {
    return with(deliveries, more);
  }

  private Change with(List<NewDelivery> news, Tally added) {
    return new Change(
        task, guard, event, to, due, counting, holding, reason, note, cancelAction, news, added);
  }

  public LeaseKey lease() {
    return new LeaseKey(task, guard.epoch());
  }

  /** True when the attempt goes on elsewhere, in nobody's hands. */
  public boolean entrusts() {
    return event == TaskEvent.ENTRUST;
  }

  /** True when the policy counts from here. */
  public boolean countsAnew() {
    return event == TaskEvent.REVIVE || event == TaskEvent.REVIVE_WAITING;
  }
}

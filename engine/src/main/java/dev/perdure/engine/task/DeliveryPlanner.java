// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import dev.perdure.engine.task.BatchRun.RunFailure;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decides which deliveries a change of a task causes. It is asked when a task ends and when a retry
 * is scheduled.
 *
 * <p>It must be pure: it is asked before the change is written, also about changes that the store
 * then refuses. It should not throw. When it does, the change cannot be decided, and an attempt
 * that ends here is parked.
 *
 * <p>It is asked about a {@link TaskChange#handsOff() hand-off} in one case only: the hand-off was
 * refused because the task had ended, and the callee does not know yet that its work is not wanted.
 */
@FunctionalInterface
public interface DeliveryPlanner {

  /** Plans no deliveries. */
  DeliveryPlanner NONE = (before, change) -> List.of();

  /** Maximum number of deliveries that one change may cause. */
  int MAX_DELIVERIES = 100;

  /**
   * The deliveries to send, in the order in which they should be sent.
   *
   * @param before the task before the change, but with the change's counters added
   */
  List<DeliveryMessage> plan(Task before, TaskChange change);

  /**
   * The deliveries to send when a batch is final after this run.
   *
   * @param failure why it failed; null unless it did
   * @param reason why it does not run again; null unless it failed
   */
  default List<DeliveryMessage> planBatchEnd(
      UUID batch,
      BatchDefinition definition,
      int run,
      BatchOutcome outcome,
      @Nullable RunFailure failure,
      @Nullable TaskGiveUpReason reason) {
    return List.of();
  }

  /**
   * The deliveries to send when a batch runs again after this run.
   *
   * @param delay how long until the next run
   */
  default List<DeliveryMessage> planBatchRetry(
      UUID batch,
      BatchDefinition definition,
      int run,
      @Nullable RunFailure failure,
      Duration delay) {
    return List.of();
  }
}

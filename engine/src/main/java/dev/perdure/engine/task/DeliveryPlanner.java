// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.List;

/**
 * Says what the world outside is to be told when a task ends, or when a retry of it was decided.
 * Pure: asked before the change is written, also about one that is refused then. When it throws,
 * the change cannot be decided, and an attempt that ends here is parked; so it should not throw.
 *
 * <p>Of an {@link TaskChange#handsOff() entrusting} change it is asked only when that was refused
 * since the task had ended, and nobody told the callee yet, who works in vain.
 */
@FunctionalInterface
public interface DeliveryPlanner {

  /** Tells nobody anything. */
  DeliveryPlanner NONE = (before, taskChange) -> List.of();

  /** The most that one change announces. */
  int MAX_DELIVERIES = 100;

  /**
   * In the order in which they are to be told, as far as that can be kept.
   *
   * @param before the task before the change, but with the items that the change counts
   */
  List<DeliveryMessage> plan(Task before, TaskChange taskChange);
}

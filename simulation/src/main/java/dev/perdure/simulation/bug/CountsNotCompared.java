// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.TaskChange;
import java.util.List;
import java.util.function.Predicate;

/** Writes changes, even if the dependencies have changed since they were decided. */
final class CountsNotCompared extends ForwardingStore {

  private final Predicate<TaskChange> affected;

  /**
   * @param affected the changes that it writes
   */
  CountsNotCompared(TaskStore inner, Predicate<TaskChange> affected) {
    super(inner);
    this.affected = affected;
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    return inner.apply(changes.stream().map(this::withoutCounts).toList());
  }

  private TaskChange withoutCounts(TaskChange change) {
    if (!affected.test(change)) {
      return change;
    }
    Guard guard = change.guard();
    return new TaskChange(
        change.task(),
        new Guard(
            guard.from(), guard.epoch(), guard.attempt(), guard.worker(), guard.inactive(), null),
        change.event(),
        change.to(),
        change.due(),
        change.retryCounters(),
        change.holdChange(),
        change.giveUpReason(),
        change.attemptDetails(),
        change.cancelAction(),
        change.deliveries(),
        change.counterDelta());
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.TaskChange;
import java.util.List;

/** Writes a revive, even if dependencies were satisfied or have failed since it was decided. */
final class ReviveIgnoresUnmet extends ForwardingStore {

  ReviveIgnoresUnmet(TaskStore inner) {
    super(inner);
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    return inner.apply(changes.stream().map(ReviveIgnoresUnmet::withoutCounts).toList());
  }

  private static TaskChange withoutCounts(TaskChange change) {
    if (!change.resetsRetries()) {
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

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.TaskChange;
import java.util.List;

/** Applies changes of any epoch, as if it were the current one. */
final class NoEpochCheck extends ForwardingStore {

  NoEpochCheck(TaskStore inner) {
    super(inner);
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    return inner.apply(changes.stream().map(this::withCurrentEpoch).toList());
  }

  private TaskChange withCurrentEpoch(TaskChange change) {
    Guard guard = change.guard();
    long epoch = inner.reader().find(change.task()).map(task -> task.epoch()).orElse(guard.epoch());
    return new TaskChange(
        change.task(),
        new Guard(
            guard.from(),
            epoch,
            guard.attempt(),
            guard.worker(),
            guard.inactive(),
            guard.dependencies()),
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

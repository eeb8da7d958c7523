// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.TaskChange;
import java.util.List;

/** Whatever epoch the writer names, it is taken to be the right one. */
final class NoEpochCheck extends ForwardingStore {

  NoEpochCheck(TaskStore inner) {
    super(inner);
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> taskChanges) {
    return inner.apply(taskChanges.stream().map(this::withCurrentEpoch).toList());
  }

  private TaskChange withCurrentEpoch(TaskChange taskChange) {
    Guard guard = taskChange.guard();
    long epoch =
        inner.reader().find(taskChange.task()).map(task -> task.epoch()).orElse(guard.epoch());
    return new TaskChange(
        taskChange.task(),
        new Guard(guard.from(), epoch, guard.attempt(), guard.worker(), guard.inactive()),
        taskChange.event(),
        taskChange.to(),
        taskChange.due(),
        taskChange.retryCounters(),
        taskChange.holdChange(),
        taskChange.giveUpReason(),
        taskChange.attemptDetails(),
        taskChange.cancelAction(),
        taskChange.deliveries(),
        taskChange.counterDelta());
  }
}

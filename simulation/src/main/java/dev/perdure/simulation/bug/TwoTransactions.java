// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.HoldChange;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import java.util.ArrayList;
import java.util.List;

/** Writes the retry first and its instant afterwards; between the two it is due at once. */
final class TwoTransactions extends ForwardingStore {

  TwoTransactions(TaskStore inner) {
    super(inner);
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> taskChanges) {
    List<WriteResult> writeResults =
        inner.apply(taskChanges.stream().map(TwoTransactions::first).toList());
    List<TaskChange> seconds = new ArrayList<>();
    for (int i = 0; i < taskChanges.size(); i++) {
      if (writeResults.get(i).applied() && isRetry(taskChanges.get(i))) {
        seconds.add(second(taskChanges.get(i)));
      }
    }
    if (!seconds.isEmpty()) {
      inner.apply(seconds);
    }
    return writeResults;
  }

  private static boolean isRetry(TaskChange taskChange) {
    return taskChange.attemptDetails() != null && taskChange.to() == TaskState.RETRY_PENDING;
  }

  private static TaskChange first(TaskChange taskChange) {
    return isRetry(taskChange) ? with(taskChange, taskChange.guard(), Due.unchanged()) : taskChange;
  }

  private static TaskChange second(TaskChange taskChange) {
    Guard guard =
        new Guard(
            taskChange.to(),
            taskChange.guard().epoch(),
            taskChange.retryCounters().attempt(),
            null,
            false);
    return new TaskChange(
        taskChange.task(),
        guard,
        TaskEvent.RETRY_AT,
        taskChange.to(),
        taskChange.due(),
        taskChange.retryCounters(),
        HoldChange.UNCHANGED,
        null,
        null,
        null,
        List.of(),
        CounterDelta.NONE);
  }

  private static TaskChange with(TaskChange taskChange, Guard guard, Due due) {
    return new TaskChange(
        taskChange.task(),
        guard,
        taskChange.event(),
        taskChange.to(),
        due,
        taskChange.retryCounters(),
        taskChange.holdChange(),
        taskChange.giveUpReason(),
        taskChange.attemptDetails(),
        taskChange.cancelAction(),
        taskChange.deliveries(),
        taskChange.counterDelta());
  }
}

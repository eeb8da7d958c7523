// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.HoldChange;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import java.util.ArrayList;
import java.util.List;

/** Writes a retry first and its due time afterwards. In between, the retry is due at once. */
final class TwoTransactions extends ForwardingStore {

  TwoTransactions(TaskStore inner) {
    super(inner);
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    List<WriteResult> results = inner.apply(changes.stream().map(TwoTransactions::first).toList());
    List<TaskChange> dueTimes = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      if (results.get(i).applied() && isRetry(changes.get(i))) {
        dueTimes.add(second(changes.get(i)));
      }
    }
    if (!dueTimes.isEmpty()) {
      inner.apply(dueTimes);
    }
    return results;
  }

  private static boolean isRetry(TaskChange change) {
    return change.attemptDetails() != null && change.to() == TaskState.RETRY_PENDING;
  }

  private static TaskChange first(TaskChange change) {
    return isRetry(change) ? with(change, change.guard(), DueTime.unchanged()) : change;
  }

  private static TaskChange second(TaskChange change) {
    Guard guard =
        new Guard(
            change.to(), change.guard().epoch(), change.retryCounters().attempt(), null, false);
    return new TaskChange(
        change.task(),
        guard,
        TaskEvent.RESCHEDULE,
        change.to(),
        change.due(),
        change.retryCounters(),
        HoldChange.UNCHANGED,
        null,
        null,
        null,
        List.of(),
        CounterDelta.NONE);
  }

  private static TaskChange with(TaskChange change, Guard guard, DueTime dueTime) {
    return new TaskChange(
        change.task(),
        guard,
        change.event(),
        change.to(),
        dueTime,
        change.retryCounters(),
        change.holdChange(),
        change.giveUpReason(),
        change.attemptDetails(),
        change.cancelAction(),
        change.deliveries(),
        change.counterDelta());
  }
}

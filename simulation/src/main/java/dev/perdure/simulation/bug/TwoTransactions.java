// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.Holding;
import dev.perdure.engine.task.Tally;
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
  public List<Verdict> apply(List<Change> changes) {
    List<Verdict> verdicts = inner.apply(changes.stream().map(TwoTransactions::first).toList());
    List<Change> seconds = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      if (verdicts.get(i).applied() && isRetry(changes.get(i))) {
        seconds.add(second(changes.get(i)));
      }
    }
    if (!seconds.isEmpty()) {
      inner.apply(seconds);
    }
    return verdicts;
  }

  private static boolean isRetry(Change change) {
    return change.note() != null && change.to() == TaskState.RETRY_PENDING;
  }

  private static Change first(Change change) {
    return isRetry(change) ? with(change, change.guard(), Due.unchanged()) : change;
  }

  private static Change second(Change change) {
    Guard guard =
        new Guard(change.to(), change.guard().epoch(), change.counting().attempt(), null, false);
    return new Change(
        change.task(),
        guard,
        TaskEvent.RETRY_AT,
        change.to(),
        change.due(),
        change.counting(),
        Holding.UNCHANGED,
        null,
        null,
        null,
        List.of(),
        Tally.NONE);
  }

  private static Change with(Change change, Guard guard, Due due) {
    return new Change(
        change.task(),
        guard,
        change.event(),
        change.to(),
        due,
        change.counting(),
        change.holding(),
        change.reason(),
        change.note(),
        change.cancelAction(),
        change.deliveries(),
        change.tally());
  }
}

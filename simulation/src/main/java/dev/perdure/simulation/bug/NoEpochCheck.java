// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Guard;
import java.util.List;

/** Whatever epoch the writer names, it is taken to be the right one. */
final class NoEpochCheck extends ForwardingStore {

  NoEpochCheck(TaskStore inner) {
    super(inner);
  }

  @Override
  public List<Verdict> apply(List<Change> changes) {
    return inner.apply(changes.stream().map(this::withTheRightEpoch).toList());
  }

  private Change withTheRightEpoch(Change change) {
    Guard guard = change.guard();
    long epoch = inner.reader().find(change.task()).map(task -> task.epoch()).orElse(guard.epoch());
    return new Change(
        change.task(),
        new Guard(guard.from(), epoch, guard.attempt(), guard.worker(), guard.inactive()),
        change.event(),
        change.to(),
        change.due(),
        change.counting(),
        change.holding(),
        change.reason(),
        change.note(),
        change.cancelAction(),
        change.deliveries(),
        change.tally());
  }
}

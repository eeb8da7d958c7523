// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.Reading;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.Task;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Ends attempts that are silent for too long, and tasks whose deadline has passed. */
final class Expirer {

  static final int MOST_AT_ONCE = 500;

  private final TaskStore store;
  private final LeaseKeeper keeper;
  private final Lifecycle lifecycle;
  private final Changes changes;

  Expirer(TaskStore store, LeaseKeeper keeper, Lifecycle lifecycle, Changes changes) {
    this.store = store;
    this.keeper = keeper;
    this.lifecycle = lifecycle;
    this.changes = changes;
  }

  /**
   * Without what another node runs that is alive: it sees the silence itself, and can interrupt the
   * handler before the next attempt begins, which from here nobody can.
   */
  private Reading ours(Reading silent) {
    if (silent.tasks().isEmpty()) {
      return silent;
    }
    UUID self = keeper.nodeThatMayWork();
    Set<String> others =
        store.nodes().alive().stream()
            .map(NodeBook.Node::id)
            .filter(id -> !id.equals(self))
            .map(UUID::toString)
            .collect(Collectors.toSet());
    List<Task> tasks =
        silent.tasks().stream()
            .filter(task -> task.worker() == null || !others.contains(task.worker()))
            .toList();
    return new Reading(tasks, silent.now());
  }

  /** One batch of each; tells how many tasks were changed. */
  int runOnce() {
    int silent = changes.write(ours(store.sweeps().silent(MOST_AT_ONCE)), lifecycle::timeOut);
    int late =
        changes.write(
            store.sweeps().pastDeadline(MOST_AT_ONCE), (task, now) -> lifecycle.expire(task));
    return silent + late;
  }
}

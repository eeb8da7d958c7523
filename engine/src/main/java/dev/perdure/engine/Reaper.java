// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Lifecycle;

/** Calls nodes dead whose rows ran out, and moves on the tasks that nobody alive holds. */
final class Reaper {

  static final int MOST_AT_ONCE = 100;

  private final TaskStore store;
  private final LeaseKeeper keeper;
  private final Lifecycle lifecycle;
  private final Changes changes;

  Reaper(TaskStore store, LeaseKeeper keeper, Lifecycle lifecycle, Changes changes) {
    this.store = store;
    this.keeper = keeper;
    this.lifecycle = lifecycle;
    this.changes = changes;
  }

  /** One batch; tells how many tasks were moved. */
  int runOnce() {
    // Somebody who was cut off himself has no right to call others dead.
    if (!keeper.mayJudge()) {
      return 0;
    }
    store.nodes().buryLapsed(MOST_AT_ONCE);
    return changes.write(store.sweeps().orphans(MOST_AT_ONCE), (task, now) -> lifecycle.lose(task));
  }
}

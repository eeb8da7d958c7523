// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Lifecycle;

/** Ends attempts that are silent for too long, and tasks whose deadline has passed. */
final class Expirer {

  static final int MOST_AT_ONCE = 500;

  private final TaskStore store;
  private final Lifecycle lifecycle;
  private final Changes changes;

  Expirer(TaskStore store, Lifecycle lifecycle, Changes changes) {
    this.store = store;
    this.lifecycle = lifecycle;
    this.changes = changes;
  }

  /** One batch of each; tells how many tasks were changed. */
  int runOnce() {
    int silent = changes.write(store.sweeps().silent(MOST_AT_ONCE), lifecycle::timeOut);
    int late =
        changes.write(
            store.sweeps().pastDeadline(MOST_AT_ONCE), (task, now) -> lifecycle.expire(task));
    return silent + late;
  }
}

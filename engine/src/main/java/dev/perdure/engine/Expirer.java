// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Lifecycle;

/** Ends tasks whose deadline has passed. */
final class Expirer {

  static final int MOST_AT_ONCE = 100;

  private final TaskStore store;
  private final Lifecycle lifecycle;
  private final Changes changes;

  Expirer(TaskStore store, Lifecycle lifecycle, Changes changes) {
    this.store = store;
    this.lifecycle = lifecycle;
    this.changes = changes;
  }

  /** One batch; tells how many tasks were ended. */
  int runOnce() {
    return changes.write(
        store.sweeps().pastDeadline(MOST_AT_ONCE), (task, now) -> lifecycle.expire(task));
  }
}

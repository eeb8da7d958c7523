// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.TaskStore;

/** Calls nodes dead whose rows ran out, and moves on the tasks that nobody alive holds. */
final class Reaper {

  static final int MAX_BATCH_SIZE = 100;

  private final TaskStore store;
  private final NodeLeaseKeeper leaseKeeper;
  private final TaskLifecycle taskLifecycle;
  private final ChangeWriter changeWriter;

  Reaper(
      TaskStore store,
      NodeLeaseKeeper keeper,
      TaskLifecycle taskLifecycle,
      ChangeWriter changeWriter) {
    this.store = store;
    this.leaseKeeper = keeper;
    this.taskLifecycle = taskLifecycle;
    this.changeWriter = changeWriter;
  }

  /** One batch; tells how many tasks were moved. */
  int runOnce() {
    // Somebody who was cut off himself has no right to call others dead.
    if (!leaseKeeper.isSteady()) {
      return 0;
    }
    store.nodes().markExpiredDead(MAX_BATCH_SIZE);
    return changeWriter.write(
        store.maintenance().orphans(MAX_BATCH_SIZE), (task, now) -> taskLifecycle.workerLost(task));
  }
}

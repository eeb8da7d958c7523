// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.TaskStore;

/** Marks nodes dead whose rows have expired, and frees the tasks whose owner is gone. */
final class Reaper {

  static final int MAX_BATCH_SIZE = 100;

  private final TaskStore store;
  private final NodeLeaseKeeper leaseKeeper;
  private final TaskLifecycle lifecycle;
  private final ChangeWriter changeWriter;

  Reaper(
      TaskStore store,
      NodeLeaseKeeper leaseKeeper,
      TaskLifecycle lifecycle,
      ChangeWriter changeWriter) {
    this.store = store;
    this.leaseKeeper = leaseKeeper;
    this.lifecycle = lifecycle;
    this.changeWriter = changeWriter;
  }

  /** Runs one batch; returns how many tasks it freed. */
  int runOnce() {
    // A node that was cut off itself must not declare others dead.
    if (!leaseKeeper.isSteady()) {
      return 0;
    }
    store.nodes().markExpiredDead(MAX_BATCH_SIZE);
    return changeWriter.write(
        store.maintenance().orphans(MAX_BATCH_SIZE), (task, now) -> lifecycle.workerLost(task));
  }
}

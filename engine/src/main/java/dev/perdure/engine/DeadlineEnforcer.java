// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.TaskStore;

/** Fails tasks whose deadline has passed. */
final class DeadlineEnforcer {

  static final int MAX_BATCH_SIZE = 100;

  private final TaskStore store;
  private final TaskLifecycle lifecycle;
  private final ChangeWriter changeWriter;

  DeadlineEnforcer(TaskStore store, TaskLifecycle lifecycle, ChangeWriter changeWriter) {
    this.store = store;
    this.lifecycle = lifecycle;
    this.changeWriter = changeWriter;
  }

  /** Runs one batch; returns how many tasks it ended. */
  int runOnce() {
    return changeWriter.write(
        store.maintenance().pastDeadline(MAX_BATCH_SIZE), (task, now) -> lifecycle.expire(task));
  }
}

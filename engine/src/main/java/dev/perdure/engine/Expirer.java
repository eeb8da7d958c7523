// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.TaskStore;

/** Ends tasks whose deadline has passed. */
final class Expirer {

  static final int MAX_BATCH_SIZE = 100;

  private final TaskStore store;
  private final TaskLifecycle taskLifecycle;
  private final ChangeWriter changeWriter;

  Expirer(TaskStore store, TaskLifecycle taskLifecycle, ChangeWriter changeWriter) {
    this.store = store;
    this.taskLifecycle = taskLifecycle;
    this.changeWriter = changeWriter;
  }

  /** One batch; tells how many tasks were ended. */
  int runOnce() {
    return changeWriter.write(
        store.maintenance().pastDeadline(MAX_BATCH_SIZE),
        (task, now) -> taskLifecycle.expire(task));
  }
}

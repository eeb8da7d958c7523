// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.stream.Collectors.toMap;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.TaskSnapshot;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Task;
import java.util.Map;

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
    TaskSnapshot orphans = store.maintenance().orphans(MAX_BATCH_SIZE);
    Map<String, String> names =
        orphans.tasks().stream()
            .map(Reaper::worker)
            .distinct()
            .collect(toMap(worker -> worker, this::name));
    return changeWriter.write(
        orphans, (task, now) -> lifecycle.workerLost(task, names.getOrDefault(worker(task), "")));
  }

  private static String worker(Task task) {
    return String.valueOf(task.worker());
  }

  /** A node is stored as its id, a remote worker as its name. */
  private String name(String worker) {
    return store.nodes().nameOf(worker).orElse(worker);
  }
}

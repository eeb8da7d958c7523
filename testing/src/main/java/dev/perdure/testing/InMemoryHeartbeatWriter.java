// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Records one heartbeat if its lease is still current. */
final class InMemoryHeartbeatWriter {

  private InMemoryHeartbeatWriter() {}

  static WriteResult apply(TaskTable tasks, Heartbeat heartbeat, Instant now) {
    StoredTask storedTask = tasks.find(heartbeat.key().task());
    if (storedTask == null) {
      return WriteResult.notFound();
    }
    if (!storedTask.isLeased() || storedTask.task().epoch() != heartbeat.key().epoch()) {
      return WriteResult.refused(storedTask.state(), storedTask.task().epoch());
    }
    Progress progress = progress(storedTask.task().progress(), heartbeat);
    if (heartbeat.success() != null) {
      tasks.limits().report(storedTask.id(), progress);
    }
    tasks.put(
        new StoredTask(
            InMemoryTaskUpdater.updated(storedTask.task(), storedTask.definition(), progress, now),
            leaseUntil(storedTask, heartbeat, now),
            timesOutAt(storedTask, now)));
    return WriteResult.written();
  }

  private static Progress progress(Progress before, Heartbeat heartbeat) {
    return new Progress(
        heartbeat.success() == null ? before.success() : heartbeat.success(),
        before.failures(),
        heartbeat.expected() == null ? before.expected() : heartbeat.expected());
  }

  /** Extends the lease of a remote worker. Other attempts have none. */
  private static @Nullable Instant leaseUntil(
      StoredTask storedTask, Heartbeat heartbeat, Instant now) {
    Duration lease = heartbeat.lease();
    return lease == null || storedTask.leaseUntil() == null
        ? storedTask.leaseUntil()
        : now.plus(lease);
  }

  private static @Nullable Instant timesOutAt(StoredTask storedTask, Instant now) {
    return storedTask.state() == TaskState.RUNNING
        ? StoredTask.timesOutAt(storedTask.definition(), now)
        : null;
  }
}

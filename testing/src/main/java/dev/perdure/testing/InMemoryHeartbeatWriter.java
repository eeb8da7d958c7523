// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes one sign of life, if its lease is still held. */
final class InMemoryHeartbeatWriter {

  private InMemoryHeartbeatWriter() {}

  static WriteResult apply(TaskTable tasks, Heartbeat sign, Instant now) {
    StoredTask storedTask = tasks.find(sign.key().task());
    if (storedTask == null) {
      return WriteResult.notFound();
    }
    if (!storedTask.isHeld() || storedTask.task().epoch() != sign.key().epoch()) {
      return WriteResult.refused(storedTask.state(), storedTask.task().epoch());
    }
    tasks.put(
        new StoredTask(
            afterHeartbeat(storedTask.task(), sign, now),
            leaseUntil(storedTask, sign, now),
            timesOutAt(storedTask, now)));
    return WriteResult.written();
  }

  private static Task afterHeartbeat(Task task, Heartbeat sign, Instant now) {
    TaskTimes taskTimes = task.times();
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        task.definition(),
        task.state(),
        task.hold(),
        task.epoch(),
        task.worker(),
        task.handleEpoch(),
        task.cancelAction(),
        task.retryCounters(),
        new TaskTimes(
            taskTimes.createdAt(),
            taskTimes.dueAt(),
            taskTimes.retrySince(),
            taskTimes.startedAt(),
            taskTimes.endedAt(),
            now),
        progress(task.progress(), sign),
        task.lastResult());
  }

  private static Progress progress(Progress before, Heartbeat sign) {
    return new Progress(
        sign.success() == null ? before.success() : sign.success(),
        before.failures(),
        sign.expected() == null ? before.expected() : sign.expected());
  }

  /** Only what is held by lease has one to extend. */
  private static @Nullable Instant leaseUntil(StoredTask storedTask, Heartbeat sign, Instant now) {
    Duration lease = sign.lease();
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

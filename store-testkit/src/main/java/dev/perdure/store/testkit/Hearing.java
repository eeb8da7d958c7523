// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.Times;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes one sign of life, if its lease is still held. */
final class Hearing {

  private Hearing() {}

  static Verdict apply(TaskTable tasks, SignOfLife sign, Instant now) {
    Row row = tasks.find(sign.key().task());
    if (row == null) {
      return Verdict.missing();
    }
    if (!row.isHeld() || row.task().epoch() != sign.key().epoch()) {
      return Verdict.refused(row.state(), row.task().epoch());
    }
    tasks.put(new Row(heard(row.task(), sign, now), leaseUntil(row, sign, now), silence(row, now)));
    return Verdict.done();
  }

  private static Task heard(Task task, SignOfLife sign, Instant now) {
    Times times = task.times();
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        task.definition(),
        task.state(),
        task.hold(),
        task.custody(),
        task.counting(),
        new Times(
            times.createdAt(),
            times.dueAt(),
            times.retrySince(),
            times.startedAt(),
            times.endedAt(),
            now),
        progress(task.progress(), sign),
        task.ending());
  }

  private static Progress progress(Progress before, SignOfLife sign) {
    return new Progress(
        sign.success() == null ? before.success() : sign.success(),
        before.failures(),
        sign.expected() == null ? before.expected() : sign.expected());
  }

  /** Only what is held by lease has one to extend. */
  private static @Nullable Instant leaseUntil(Row row, SignOfLife sign, Instant now) {
    Duration lease = sign.lease();
    return lease == null || row.leaseUntil() == null ? row.leaseUntil() : now.plus(lease);
  }

  private static @Nullable Instant silence(Row row, Instant now) {
    return row.state() == TaskState.RUNNING ? Row.timesOutAt(row.definition(), now) : null;
  }
}

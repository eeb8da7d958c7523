// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.TaskCounters;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskTimes;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Changes figures of the model's tasks. */
final class InMemoryTaskCounters implements TaskCounters {

  private final InMemoryDatabase database;

  InMemoryTaskCounters(InMemoryDatabase database) {
    this.database = database;
  }

  @Override
  public List<WriteResult> add(List<ProgressReport> progressReports) {
    synchronized (database) {
      return progressReports.stream().map(this::add).toList();
    }
  }

  private WriteResult add(ProgressReport progressReport) {
    UUID id = progressReport.key().task();
    StoredTask storedTask = database.tasks.find(id);
    if (storedTask == null
        || !holds(storedTask, progressReport.key().epoch())
        || !fitsWithoutOverflow(storedTask.task(), progressReport)) {
      return refused(storedTask);
    }
    Progress before = storedTask.task().progress();
    Progress after =
        new Progress(
            before.success() + progressReport.success(),
            before.failures() + progressReport.failures(),
            before.expected());
    Instant now = database.now();
    Task heard = with(storedTask.task(), storedTask.definition(), after, now);
    Instant silent =
        storedTask.timesOutAt() == null
            ? null
            : StoredTask.timesOutAt(storedTask.definition(), now);
    database.tasks.put(new StoredTask(heard, leaseUntil(storedTask, progressReport, now), silent));
    return WriteResult.written();
  }

  private static boolean fitsWithoutOverflow(Task task, ProgressReport progressReport) {
    return task.progress().success() <= Long.MAX_VALUE - progressReport.success()
        && task.progress().failures() <= Long.MAX_VALUE - progressReport.failures();
  }

  /** Longer, never shorter. */
  private static @Nullable Instant leaseUntil(
      StoredTask storedTask, ProgressReport progressReport, Instant now) {
    Instant before = storedTask.leaseUntil();
    if (before == null || progressReport.lease() == null) {
      return before;
    }
    Instant asked = now.plus(progressReport.lease());
    return asked.isAfter(before) ? asked : before;
  }

  @Override
  public WriteResult update(TaskUpdate taskUpdate) {
    synchronized (database) {
      StoredTask storedTask = database.tasks.find(taskUpdate.task());
      Long epoch = taskUpdate.epoch();
      if (storedTask == null
          || storedTask.state().isTerminal()
          || (epoch != null && !holds(storedTask, epoch))) {
        return refused(storedTask);
      }
      Progress before = storedTask.task().progress();
      Progress after =
          taskUpdate.expected() == null
              ? before
              : new Progress(before.success(), before.failures(), taskUpdate.expected());
      Task revised =
          with(
              storedTask.task(),
              updated(storedTask.definition(), taskUpdate),
              after,
              database.now());
      database.tasks.put(new StoredTask(revised, storedTask.leaseUntil(), storedTask.timesOutAt()));
      return WriteResult.written();
    }
  }

  private static boolean holds(StoredTask storedTask, long epoch) {
    return storedTask.isHeld() && storedTask.task().epoch() == epoch;
  }

  private static WriteResult refused(@Nullable StoredTask storedTask) {
    return storedTask == null
        ? WriteResult.notFound()
        : WriteResult.refused(storedTask.state(), storedTask.task().epoch());
  }

  private static TaskDefinition updated(TaskDefinition before, TaskUpdate taskUpdate) {
    Integer priority = taskUpdate.priority();
    return new TaskDefinition(
        before.kind(),
        before.name(),
        before.payload(),
        taskUpdate.metadata() == null ? before.metadata() : taskUpdate.metadata(),
        before.policy(),
        before.strategy(),
        before.timeout(),
        before.deadline(),
        priority == null ? before.priority() : priority,
        before.idempotencyKey(),
        before.localId(),
        before.queue(),
        before.actions(),
        before.trace());
  }

  private static Task with(
      Task task, TaskDefinition taskDefinition, Progress progress, Instant now) {
    TaskTimes taskTimes = task.times();
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        taskDefinition,
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
        progress,
        task.lastResult());
  }
}

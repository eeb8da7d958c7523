// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskTimes;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Counter updates on the in-memory store. */
final class InMemoryTaskUpdater {

  private final InMemoryDatabase database;

  InMemoryTaskUpdater(InMemoryDatabase database) {
    this.database = database;
  }

  List<WriteResult> add(List<ProgressReport> reports) {
    synchronized (database) {
      return reports.stream().map(this::add).toList();
    }
  }

  private WriteResult add(ProgressReport report) {
    UUID id = report.key().task();
    StoredTask storedTask = database.tasks.find(id);
    if (storedTask == null
        || !holds(storedTask, report.key().epoch())
        || !fitsWithoutOverflow(storedTask.task(), report)) {
      return refused(storedTask);
    }
    Progress before = storedTask.task().progress();
    Progress after =
        new Progress(
            before.success() + report.success(),
            before.failures() + report.failures(),
            before.expected());
    Instant now = database.now();
    Task updated = updated(storedTask.task(), storedTask.definition(), after, now);
    Instant timesOutAt =
        storedTask.timesOutAt() == null
            ? null
            : StoredTask.timesOutAt(storedTask.definition(), now);
    database.tasks.put(new StoredTask(updated, leaseUntil(storedTask, report, now), timesOutAt));
    return WriteResult.written();
  }

  private static boolean fitsWithoutOverflow(Task task, ProgressReport report) {
    return task.progress().success() <= Long.MAX_VALUE - report.success()
        && task.progress().failures() <= Long.MAX_VALUE - report.failures();
  }

  /** A report extends the lease but never shortens it. */
  private static @Nullable Instant leaseUntil(
      StoredTask storedTask, ProgressReport report, Instant now) {
    Instant before = storedTask.leaseUntil();
    if (before == null || report.lease() == null) {
      return before;
    }
    Instant requested = now.plus(report.lease());
    return requested.isAfter(before) ? requested : before;
  }

  WriteResult update(TaskUpdate update) {
    synchronized (database) {
      StoredTask storedTask = database.tasks.find(update.task());
      Long epoch = update.epoch();
      if (storedTask == null
          || storedTask.state().isTerminal()
          || (epoch != null && !holds(storedTask, epoch))) {
        return refused(storedTask);
      }
      Progress before = storedTask.task().progress();
      Progress after =
          update.expected() == null
              ? before
              : new Progress(before.success(), before.failures(), update.expected());
      Task updatedTask =
          updated(
              storedTask.task(), updated(storedTask.definition(), update), after, database.now());
      database.tasks.put(
          new StoredTask(updatedTask, storedTask.leaseUntil(), storedTask.timesOutAt()));
      return WriteResult.written();
    }
  }

  private static boolean holds(StoredTask storedTask, long epoch) {
    return storedTask.isLeased() && storedTask.task().epoch() == epoch;
  }

  private static WriteResult refused(@Nullable StoredTask storedTask) {
    return storedTask == null
        ? WriteResult.notFound()
        : WriteResult.refused(storedTask.state(), storedTask.task().epoch());
  }

  private static TaskDefinition updated(TaskDefinition before, TaskUpdate update) {
    Integer priority = update.priority();
    return new TaskDefinition(
        before.kind(),
        before.name(),
        before.payload(),
        update.metadata() == null ? before.metadata() : update.metadata(),
        before.policy(),
        before.policyAsGiven(),
        before.strategy(),
        before.timeout(),
        before.deadline(),
        priority == null ? before.priority() : priority,
        before.idempotencyKey(),
        before.localId(),
        before.queue(),
        before.actions(),
        before.trace(),
        before.rules(),
        before.dedupeKey());
  }

  static TaskDefinition withRules(TaskDefinition before, @Nullable String rules) {
    return new TaskDefinition(
        before.kind(),
        before.name(),
        before.payload(),
        before.metadata(),
        before.policy(),
        before.policyAsGiven(),
        before.strategy(),
        before.timeout(),
        before.deadline(),
        before.priority(),
        before.idempotencyKey(),
        before.localId(),
        before.queue(),
        before.actions(),
        before.trace(),
        rules,
        before.dedupeKey());
  }

  static Task with(Task task, TaskDefinition definition, Set<HoldReason> hold) {
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        definition,
        task.state(),
        hold,
        task.epoch(),
        task.worker(),
        task.handleEpoch(),
        task.cancelAction(),
        task.retryCounters(),
        task.times(),
        task.progress(),
        task.lastResult(),
        task.dependencies());
  }

  /** A copy of the task that was updated now. */
  static Task updated(Task task, TaskDefinition definition, Progress progress, Instant now) {
    TaskTimes taskTimes = task.times();
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        definition,
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
        task.lastResult(),
        task.dependencies());
  }
}

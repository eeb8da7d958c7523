// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.Deduplication;
import dev.perdure.engine.spi.ImportedHistory;
import dev.perdure.engine.spi.InitialDependencies;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.StoredParents;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Creates the tasks of a submission. */
final class InMemorySubmissionWriter {

  private static final Set<HoldReason> LIMITED = Set.of(HoldReason.LIMITED);

  private final Submission submission;

  InMemorySubmissionWriter(Submission submission, int shards) {
    this.submission = submission;
    submission.requireValid(shards);
  }

  /**
   * Adds the tasks unless the batch already exists or the submission key belongs to another batch.
   */
  SubmissionReceipt addTo(InMemoryDatabase database, Instant now) {
    SubmissionReceipt existing = database.findByKey(submission, now);
    if (existing != null) {
      return existing;
    }
    if (database.tasks.hasBatch(submission.batch())) {
      return submission.storedBefore(database.keys.deduplicated(submission));
    }
    return add(
        new Deduplication(
            submission,
            database.tasks.holders(Shards.of(submission.batch()), Deduplication.keys(submission))),
        database,
        now);
  }

  /** Adds the tasks that are not duplicates. */
  SubmissionReceipt add(Deduplication deduplication, InMemoryDatabase database, Instant now) {
    Submission remaining = deduplication.remaining();
    if (remaining != null) {
      List<UUID> parents = remaining.storedParents();
      StoredParents stored = database.tasks.storedParents(parents);
      List<UUID> missing = parents.stream().filter(id -> !stored.contains(id)).toList();
      if (!missing.isEmpty()) {
        return submission.unknownParents(missing);
      }
      add(remaining, database.tasks, stored, now);
    }
    deduplication.replacements().forEach((id, row) -> replace(database.tasks, id, row, now));
    SubmissionReceipt receipt = deduplication.receipt();
    database.keys.take(submission, receipt.batch(), deduplication.text(), now);
    return receipt;
  }

  /** Replaces a live task, unless it has been claimed. */
  static void replace(TaskTable tasks, UUID id, NewTaskRow row, Instant now) {
    StoredTask found = tasks.find(id);
    if (found == null) {
      return;
    }
    Task task = found.task();
    boolean unclaimed =
        task.epoch() == 0
            && (task.state() == TaskState.PENDING || task.state() == TaskState.WAITING);
    if (!tasks.rules().replaces(unclaimed)) {
      return;
    }
    Instant due = DueTimes.resolve(row.due(), now, now);
    StoredTask replaced =
        new StoredTask(
            new Task(
                task.id(),
                task.batch(),
                task.run(),
                Deduplication.replaced(task.definition(), row.definition()),
                task.state(),
                task.hold(),
                task.epoch(),
                task.worker(),
                task.handleEpoch(),
                task.cancelAction(),
                task.retryCounters(),
                new TaskTimes(task.times().createdAt(), due, due, null, null, now),
                task.progress(),
                task.lastResult(),
                task.dependencies()),
            null,
            null);
    tasks.put(replaced);
    if (replaced.waitsForLimit()) {
      tasks.limits().changed(replaced, 0, now);
    }
  }

  private static void add(
      Submission submission, TaskTable tasks, StoredParents stored, Instant now) {
    InitialDependencies initial = new InitialDependencies(submission, stored);
    tasks.define(submission.batch(), submission.definition());
    if (submission.definition().hasRuns()) {
      tasks.runs().start(submission.batch(), now);
    }
    for (NewTaskRow row : submission.tasks()) {
      List<TaskLimit> limits = LimitRules.of(row.definition());
      tasks.limits().add(row.id(), limits);
      StoredTask added =
          row(submission.batch(), row, initial, limits.isEmpty() ? Set.of() : LIMITED, now);
      tasks.add(added);
      tasks.limits().submitted(added, now);
      tasks.observe(row.id(), initial.observers(row.id()));
      records(row, now).forEach(tasks::record);
    }
    initial
        .rows()
        .forEach(row -> tasks.dependencies().put(row.dependency(), row.outcome(), row.deferred()));
    initial.events().forEach(id -> tasks.dependencies().addEvent(id, now, null, null));
  }

  private static StoredTask row(
      UUID batch, NewTaskRow row, InitialDependencies initial, Set<HoldReason> hold, Instant now) {
    ImportedHistory history = row.importedHistory();
    Instant due = DueTimes.resolve(row.due(), now, now);
    Instant retrySince = history == null ? due : now.minus(history.age());
    Instant started = history == null ? null : now.minus(history.last().startedAgo());
    Task task =
        new Task(
            row.id(),
            batch,
            0,
            row.definition(),
            initial.state(row),
            hold,
            row.epoch(),
            null,
            null,
            null,
            row.retryCounters(),
            new TaskTimes(now, due, retrySince, started, null, now),
            new Progress(0, 0, row.expectedCount()),
            history == null ? LastResult.NONE : lastResult(history),
            initial.counts(row.id()));
    return new StoredTask(task, null, null);
  }

  private static LastResult lastResult(ImportedHistory history) {
    AttemptDetails last = history.last().details();
    return new LastResult(
        last.failureKind(), last.message(), last.code(), null, null, history.error());
  }

  private static List<Attempt> records(NewTaskRow row, Instant now) {
    ImportedHistory history = row.importedHistory();
    return history == null
        ? List.of()
        : history.attempts().stream()
            .map(attempt -> record(row.id(), history.worker(), attempt, now))
            .toList();
  }

  private static Attempt record(
      UUID task, String worker, ImportedHistory.PriorAttempt attempt, Instant now) {
    Instant ended = now.minus(attempt.endedAgo());
    return new Attempt(
        task,
        attempt.epoch(),
        attempt.number(),
        worker,
        now.minus(attempt.startedAgo()),
        ended,
        attempt.details(),
        ended.plus(attempt.delay()));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.ImportedHistory;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskTimes;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Makes the first rows of tasks. */
final class InMemorySubmission {

  private final Submission submission;

  InMemorySubmission(Submission submission, int shards) {
    this.submission = submission;
    submission.requireOneShard(shards);
  }

  /** Adds the tasks, unless there is such a batch or its key stands for another. */
  SubmissionReceipt addTo(InMemoryDatabase database, Instant now) {
    SubmissionReceipt taken = database.findByKey(submission, now);
    if (taken != null) {
      return taken;
    }
    database.keys.take(submission, now);
    if (!database.tasks.hasBatch(submission.batch())) {
      add(database.tasks, now);
    }
    return submission.stored();
  }

  private void add(TaskTable tasks, Instant now) {
    for (NewTaskRow row : submission.tasks()) {
      tasks.add(row(row, now));
      records(row, now).forEach(tasks::record);
    }
  }

  private StoredTask row(NewTaskRow row, Instant now) {
    ImportedHistory importedHistory = row.importedHistory();
    Instant due = DueTimes.resolve(row.due(), now, now);
    Instant since = importedHistory == null ? due : now.minus(importedHistory.age());
    Instant started =
        importedHistory == null ? null : now.minus(importedHistory.last().startedAgo());
    Task task =
        new Task(
            row.id(),
            submission.batch(),
            0,
            row.definition(),
            row.state(),
            0,
            row.epoch(),
            null,
            null,
            null,
            row.retryCounters(),
            new TaskTimes(now, due, since, started, null, now),
            new Progress(0, 0, row.expectedCount()),
            importedHistory == null ? LastResult.NONE : ending(importedHistory.last().details()));
    return new StoredTask(task, null, null);
  }

  private static LastResult ending(AttemptDetails last) {
    return new LastResult(last.failureKind(), last.message(), last.code(), null, null);
  }

  private static List<Attempt> records(NewTaskRow row, Instant now) {
    ImportedHistory importedHistory = row.importedHistory();
    return importedHistory == null
        ? List.of()
        : importedHistory.attempts().stream()
            .map(priorAttempt -> record(row.id(), importedHistory.worker(), priorAttempt, now))
            .toList();
  }

  private static Attempt record(
      UUID task, String worker, ImportedHistory.PriorAttempt priorAttempt, Instant now) {
    Instant ended = now.minus(priorAttempt.endedAgo());
    return new Attempt(
        task,
        priorAttempt.epoch(),
        priorAttempt.number(),
        worker,
        now.minus(priorAttempt.startedAgo()),
        ended,
        priorAttempt.details(),
        ended.plus(priorAttempt.delay()));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptNote;
import dev.perdure.engine.task.Custody;
import dev.perdure.engine.task.Ending;
import dev.perdure.engine.task.Past;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.Times;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Makes the first rows of tasks. */
final class Submitting {

  private final Submission submission;

  Submitting(Submission submission, int shards) {
    this.submission = submission;
    submission.requireOneShard(shards);
  }

  /** Adds the tasks, unless there is such a batch or its key stands for another. */
  Receipt addTo(ModelDatabase database, Instant now) {
    Receipt taken = database.keys.look(submission, now);
    if (taken != null) {
      return taken;
    }
    database.keys.take(submission, now);
    if (!database.tasks.hasBatch(submission.batch())) {
      add(database.tasks, now);
    }
    return Receipt.stored(submission);
  }

  private void add(TaskTable tasks, Instant now) {
    for (NewRow row : submission.tasks()) {
      tasks.add(row(row, now));
      records(row, now).forEach(tasks::record);
    }
  }

  private Row row(NewRow row, Instant now) {
    Past past = row.past();
    Instant due = Dues.at(row.due(), now, now);
    Instant since = past == null ? due : now.minus(past.age());
    Instant started = past == null ? null : now.minus(past.last().startedAgo());
    Task task =
        new Task(
            row.id(),
            submission.batch(),
            0,
            row.definition(),
            row.state(),
            0,
            Custody.of(row.epoch(), null),
            row.counting(),
            new Times(now, due, since, started, null, now),
            new Progress(0, 0, row.expectedCount()),
            past == null ? Ending.NONE : ending(past.last().note()));
    return new Row(task, null, null);
  }

  private static Ending ending(AttemptNote last) {
    return new Ending(last.failureKind(), last.message(), last.code(), null, null);
  }

  private static List<Attempt> records(NewRow row, Instant now) {
    Past past = row.past();
    return past == null
        ? List.of()
        : past.attempts().stream()
            .map(failed -> record(row.id(), past.worker(), failed, now))
            .toList();
  }

  private static Attempt record(UUID task, String worker, Past.Failed failed, Instant now) {
    Instant ended = now.minus(failed.endedAgo());
    return new Attempt(
        task,
        failed.epoch(),
        failed.number(),
        worker,
        now.minus(failed.startedAgo()),
        ended,
        failed.note(),
        ended.plus(failed.delay()));
  }
}

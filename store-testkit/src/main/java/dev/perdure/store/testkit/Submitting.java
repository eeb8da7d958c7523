// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.task.Counting;
import dev.perdure.engine.task.Ending;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.Times;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Makes the first rows of tasks. */
final class Submitting {

  private final Submission submission;

  Submitting(Submission submission, int shards) {
    this.submission = submission;
    int shard = Shards.of(submission.batch());
    if (shard >= shards) {
      throw new IllegalArgumentException(
          "batch %s is of shard %d, the store has %d".formatted(submission.batch(), shard, shards));
    }
    for (NewRow task : submission.tasks()) {
      if (Shards.of(task.id()) != shard) {
        throw new IllegalArgumentException(
            "task %s is of shard %d, its batch of %d"
                .formatted(task.id(), Shards.of(task.id()), shard));
      }
    }
  }

  List<Row> rows(Instant now) {
    return submission.tasks().stream().map(task -> row(submission.batch(), task, now)).toList();
  }

  private static Row row(UUID batch, NewRow row, Instant now) {
    Instant due = Dues.at(row.due(), now, now);
    Times times = new Times(now, due, due, null, null, now);
    Task task =
        new Task(
            row.id(),
            batch,
            0,
            row.definition(),
            TaskState.PENDING,
            0,
            0,
            null,
            Counting.FRESH,
            times,
            Progress.NONE,
            Ending.NONE);
    return new Row(task, null, null);
  }
}

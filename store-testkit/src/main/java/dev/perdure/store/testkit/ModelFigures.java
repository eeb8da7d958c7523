// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.Addition;
import dev.perdure.engine.store.Figures;
import dev.perdure.engine.store.Revision;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Definition;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.Times;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Changes figures of the model's tasks. */
final class ModelFigures implements Figures {

  private final ModelDatabase database;

  ModelFigures(ModelDatabase database) {
    this.database = database;
  }

  @Override
  public List<Verdict> add(List<Addition> additions) {
    synchronized (database) {
      return additions.stream().map(this::add).toList();
    }
  }

  private Verdict add(Addition addition) {
    UUID id = addition.key().task();
    Row row = database.tasks.find(id);
    if (row == null || !holds(row, addition.key().epoch()) || !fits(row.task(), addition)) {
      return refused(row);
    }
    Progress before = row.task().progress();
    Progress after =
        new Progress(
            before.success() + addition.success(),
            before.failures() + addition.failures(),
            before.expected());
    Instant now = database.now();
    Task heard = with(row.task(), row.definition(), after, now);
    Instant silent = row.timesOutAt() == null ? null : Row.timesOutAt(row.definition(), now);
    database.tasks.put(new Row(heard, leaseUntil(row, addition, now), silent));
    return Verdict.done();
  }

  private static boolean fits(Task task, Addition addition) {
    return task.progress().success() <= Long.MAX_VALUE - addition.success()
        && task.progress().failures() <= Long.MAX_VALUE - addition.failures();
  }

  /** Longer, never shorter. */
  private static @Nullable Instant leaseUntil(Row row, Addition addition, Instant now) {
    Instant before = row.leaseUntil();
    if (before == null || addition.lease() == null) {
      return before;
    }
    Instant asked = now.plus(addition.lease());
    return asked.isAfter(before) ? asked : before;
  }

  @Override
  public Verdict revise(Revision revision) {
    synchronized (database) {
      Row row = database.tasks.find(revision.task());
      Long epoch = revision.epoch();
      if (row == null || row.state().isTerminal() || (epoch != null && !holds(row, epoch))) {
        return refused(row);
      }
      Progress before = row.task().progress();
      Progress after =
          revision.expected() == null
              ? before
              : new Progress(before.success(), before.failures(), revision.expected());
      Task revised = with(row.task(), revised(row.definition(), revision), after, database.now());
      database.tasks.put(new Row(revised, row.leaseUntil(), row.timesOutAt()));
      return Verdict.done();
    }
  }

  private static boolean holds(Row row, long epoch) {
    return row.isHeld() && row.task().epoch() == epoch;
  }

  private static Verdict refused(@Nullable Row row) {
    return row == null ? Verdict.missing() : Verdict.refused(row.state(), row.task().epoch());
  }

  private static Definition revised(Definition before, Revision revision) {
    Integer priority = revision.priority();
    return new Definition(
        before.kind(),
        before.name(),
        before.payload(),
        revision.metadata() == null ? before.metadata() : revision.metadata(),
        before.policy(),
        before.strategy(),
        before.timeout(),
        before.deadline(),
        priority == null ? before.priority() : priority,
        before.idempotencyKey(),
        before.localId(),
        before.wiring());
  }

  private static Task with(Task task, Definition definition, Progress progress, Instant now) {
    Times times = task.times();
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        definition,
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
        progress,
        task.ending());
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.HeldTasks;
import dev.perdure.engine.spi.InitialDependencies;
import dev.perdure.engine.spi.RunCopy;
import dev.perdure.engine.spi.RunCopy.OldTask;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.BatchRun.RunFailure;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.store.jdbc.sql.BatchRowMapper.BatchRow;
import dev.perdure.store.jdbc.sql.RunRowMapper;
import dev.perdure.store.jdbc.sql.RunRowMapper.CompleteRow;
import dev.perdure.store.jdbc.sql.RunRowMapper.EndedTasks;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Ends and starts runs of one shard in the session's current transaction. */
final class SqliteRuns {

  static final RunRowMapper RUN_ROWS = new RunRowMapper(SqliteColumnReader.INSTANCE);

  private final SqliteSession session;
  private final long now;

  SqliteRuns(SqliteSession session, long now) {
    this.session = session;
    this.now = now;
  }

  List<CompleteRow> complete(int shard, int limit) throws SQLException {
    return session
        .statement("run.complete")
        .number("shard", shard)
        .number("limit", limit)
        .list(RUN_ROWS::complete);
  }

  List<DueRun> due(int shard, int limit) throws SQLException {
    return session
        .statement("run.due")
        .number("now", now)
        .number("shard", shard)
        .number("limit", limit)
        .list(RUN_ROWS::due);
  }

  /** Reads what a decision about the run needs; null when there is nothing to decide. */
  @Nullable CompletedRun read(BatchRow batch, int version, List<BatchRun> runs)
      throws SQLException {
    EndedTasks ended =
        statement("run.tasks", batch.id())
            .number("run", batch.run())
            .one(RUN_ROWS::endedTasks)
            .orElseThrow();
    UUID failedId = ended.failedTask();
    UUID causeId = failedId;
    if (ended.failedBecauseOfOthers()) {
      causeId = statement("run.failed_holder", batch.id()).one(RUN_ROWS::id).orElse(null);
      failedId = causeId == null ? null : ended.firstFailedTask();
    }
    Task failed = find(failedId);
    AttemptDetails failure = causeId == null ? null : lastAttempt(causeId);
    return ended.completed(batch, version, runs, failed, failure, Instant.ofEpochMilli(now));
  }

  private @Nullable Task find(@Nullable UUID id) throws SQLException {
    return id == null
        ? null
        : session
            .statement("task_view.find")
            .number("shard", Shards.of(id))
            .id("id", id)
            .one(SqliteColumnReader.TASK_ROW_MAPPER::task)
            .orElse(null);
  }

  private @Nullable AttemptDetails lastAttempt(UUID task) throws SQLException {
    return session
        .statement("attempt.list_of_task")
        .number("shard", Shards.of(task))
        .id("id", task)
        .number("limit", 1)
        .one(row -> SqliteColumnReader.TASK_ROW_MAPPER.attempt(row).details())
        .orElse(null);
  }

  boolean end(RunDecision decision) throws SQLException {
    RunFailure failure = decision.failure();
    int written =
        statement("run.end", decision.batch())
            .number("now", now)
            .number("run", decision.run())
            .number("version", decision.version())
            .text("outcome", decision.outcome().text())
            .bytes("failed_task", failure == null ? null : SqliteValues.bytes(failure.task()))
            .text("failure_kind", failure == null ? null : failure.kind())
            .text("failure_reason", failure == null ? null : failure.reason())
            .text(
                "give_up_reason",
                decision.giveUpReason() == null ? null : decision.giveUpReason().text())
            .number("delay_ms", SqliteValues.millis(decision.delay()))
            .update();
    if (written == 0) {
      return false;
    }
    SqliteChangeWriter deliveries = new SqliteChangeWriter(session, now);
    for (NewDelivery delivery : decision.deliveries()) {
      deliveries.insertDelivery(delivery, decision.deliveryTask());
    }
    if (decision.delay() == null) {
      statement("run.announce_end", decision.batch())
          .number("now", now)
          .number("run", decision.run())
          .update();
      for (Submission followUp : decision.followUps()) {
        new SqliteSubmissionWriter(session, now).submit(followUp);
      }
    }
    return true;
  }

  /** Returns the number of tasks, or 0 when the run is not due any more. */
  int start(BatchRow batch, DueRun due, Supplier<UUID> ids) throws SQLException {
    int previous = due.number() - 1;
    int shard = Shards.of(batch.id());
    RunCopy.Source source = source(batch.id(), previous);
    List<OldTask> tasks = source.tasks();
    HeldTasks held = held(shard, tasks);
    if (batch.stoppedAt() == null && held.mustWait()) {
      return putOff(batch.id(), previous);
    }
    if (statement("run.begin_next", batch.id()).number("now", now).number("run", previous).update()
        == 0) {
      return 0;
    }
    if (tasks.stream().anyMatch(OldTask::live)) {
      return reopen(batch.id(), previous);
    }
    RunCopy copy = new RunCopy(source, held, ids);
    SqliteSubmissionWriter writer = new SqliteSubmissionWriter(session, now);
    InitialDependencies initial =
        copy.initial(batch.definition(), writer.observe(shard, copy.storedParents()));
    if (!startBatch(batch.id(), due.number(), copy)) {
      return reopen(batch.id(), previous);
    }
    for (OldTask task : copy.tasks()) {
      copyTask(batch.id(), due.number(), task, copy, initial);
    }
    bindToHolders(shard, copy);
    writer.insertEvents(shard, copy.events());
    writer.insertDependencies(shard, initial);
    writer.insertRun(shard, SqliteValues.bytes(batch.id()), due.number(), copy.tasks().size());
    return copy.tasks().size();
  }

  private HeldTasks held(int shard, List<OldTask> tasks) throws SQLException {
    Map<UUID, String> keys = RunCopy.dedupeKeys(tasks);
    return HeldTasks.of(
        tasks.size(), keys, new SqliteKeyHolders(session, now).find(shard, keys.values()));
  }

  /** Puts the run off, because it cannot start yet; returns 0. */
  private int putOff(UUID batch, int run) throws SQLException {
    statement("run.put_off", batch)
        .number("now", now)
        .number("run", run)
        .number("delay_ms", HeldTasks.DELAY.toMillis())
        .update();
    return 0;
  }

  /** Tasks of other batches that depended on a task depend on the live one with its key. */
  private void bindToHolders(int shard, RunCopy copy) throws SQLException {
    for (Map.Entry<UUID, UUID> held : copy.holders().entrySet()) {
      for (String name : List.of("task_state.supersede", "dependency.move_deferred")) {
        session
            .statement(name)
            .number("shard", shard)
            .id("old_id", held.getKey())
            .id("new_id", held.getValue())
            .update();
      }
    }
  }

  /** The run is decided again; returns 0. */
  private int reopen(UUID batch, int run) throws SQLException {
    statement("run.reopen", batch).number("run", run).update();
    return 0;
  }

  private boolean startBatch(UUID batch, int run, RunCopy copy) throws SQLException {
    UUID first = copy.firstTask();
    return session
            .statement("batch.start_run")
            .number("now", now)
            .number("shard", Shards.of(batch))
            .id("id", batch)
            .number("run", run)
            .bytes("first_task", first == null ? null : SqliteValues.bytes(first))
            .number("tasks", copy.tasks().size())
            .update()
        == 1;
  }

  /** Reads earlier runs only if a task was held back in the last one. */
  private RunCopy.Source source(UUID batch, int previous) throws SQLException {
    List<OldTask> tasks =
        statement("run.tasks_to_copy", batch).number("run", previous).list(RUN_ROWS::oldTask);
    boolean complete =
        previous == 0
            || tasks.size()
                == statement("run.first_run_size", batch)
                    .one(row -> row.getLong("tasks"))
                    .orElseThrow();
    return complete
        ? new RunCopy.Source(
            tasks,
            statement("run.dependencies_to_copy", batch)
                .number("run", previous)
                .list(RUN_ROWS::dependency))
        : RunCopy.Source.ofAllRuns(
            statement("run.all_tasks", batch).list(RUN_ROWS::version),
            statement("run.all_dependencies", batch).list(RUN_ROWS::dependency));
  }

  private void copyTask(
      UUID batch, int run, OldTask task, RunCopy copy, InitialDependencies initial)
      throws SQLException {
    int shard = Shards.of(batch);
    UUID id = copy.newId(task.id());
    session
        .statement("graph.copy")
        .number("now", now)
        .number("shard", shard)
        .number("run", run)
        .id("old_id", task.id())
        .id("new_id", id)
        .number("unmet", initial.counts(id).unmet())
        .number("unmet_failed", initial.counts(id).failed())
        .number("observers", copy.observers(task, initial))
        .update();
    LimitEventWriter events = new LimitEventWriter(session, now);
    events.changed(id, events.find(id), false);
    session
        .statement("task_state.supersede")
        .number("shard", shard)
        .id("old_id", task.id())
        .id("new_id", id)
        .update();
    session
        .statement("task.copy")
        .number("now", now)
        .number("shard", shard)
        .id("batch", batch)
        .id("old_id", task.id())
        .id("new_id", id)
        .update();
    session
        .statement("dependency.move_deferred")
        .number("shard", shard)
        .id("old_id", task.id())
        .id("new_id", id)
        .update();
  }

  private CachedStatement statement(String name, UUID batch) throws SQLException {
    return session.statement(name).number("shard", Shards.of(batch)).id("batch", batch);
  }
}

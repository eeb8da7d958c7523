// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.ScheduleStore.DueSchedule;
import dev.perdure.engine.spi.ScheduleStore.FiringDecider;
import dev.perdure.engine.spi.ScheduleStore.FiringDecision;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Fires schedules of one shard in one transaction. They are locked, so no other node decides about
 * them. If the transaction is lost, nothing has happened.
 */
final class PostgresScheduleFirer {

  private final PostgresExecutor executor;
  private final PostgresSubmissionWriter submissions;
  private final Connection connection;
  private final int shard;

  PostgresScheduleFirer(
      PostgresExecutor executor,
      PostgresSubmissionWriter submissions,
      Connection connection,
      int shard) {
    this.executor = executor;
    this.submissions = submissions;
    this.connection = connection;
    this.shard = shard;
  }

  private record Fired(Schedule schedule, FiringDecision decision) {}

  private record ScheduleFiring(UUID schedule, Firing firing) {}

  private record ScheduleTask(UUID schedule, UUID task) {}

  int fireDue(int limit, FiringDecider decider) throws SQLException {
    try (NamedParameterStatement statement = statement("schedule.lock_due")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      List<DueSchedule> due =
          statement.integer("limit", limit).list(PostgresScheduleStore.ROWS::due);
      fire(due, decider);
      return due.size();
    }
  }

  boolean fire(UUID schedule, FiringDecider decider) throws SQLException {
    try (NamedParameterStatement statement = statement("schedule.lock")) {
      PostgresParameters.uuid(statement, "id", schedule);
      List<DueSchedule> found = statement.list(PostgresScheduleStore.ROWS::due);
      fire(found, decider);
      return !found.isEmpty();
    }
  }

  private void fire(List<DueSchedule> due, FiringDecider decider) throws SQLException {
    if (due.isEmpty()) {
      return;
    }
    Instant now = executor.now(connection);
    List<Fired> fired =
        due.stream().map(one -> new Fired(one.schedule(), decider.decide(one, now))).toList();
    submit(fired);
    insertFirings(fired);
    advance(fired);
    prune(fired);
  }

  private void submit(List<Fired> fired) throws SQLException {
    List<Submission> small = new ArrayList<>();
    List<ScheduleTask> tasks = new ArrayList<>();
    for (Fired one : fired) {
      for (Submission submission : one.decision().submissions()) {
        if (PostgresSubmissionWriter.isSmall(submission)) {
          small.add(submission);
        } else {
          submissions.submitAtomically(connection, submission);
        }
        for (NewTaskRow row : submission.tasks()) {
          tasks.add(new ScheduleTask(one.schedule().id(), row.id()));
        }
      }
    }
    if (!small.isEmpty()) {
      submissions.submitAll(connection, small);
    }
    if (!tasks.isEmpty()) {
      markTasks(tasks);
    }
  }

  private void markTasks(List<ScheduleTask> tasks) throws SQLException {
    try (NamedParameterStatement statement = statement("schedule.mark_tasks")) {
      indexes(statement, tasks.size());
      PostgresParameters.array(statement, "ids", "uuid", tasks, ScheduleTask::task);
      PostgresParameters.array(statement, "schedules", "uuid", tasks, ScheduleTask::schedule);
      statement.update();
    }
  }

  private void insertFirings(List<Fired> fired) throws SQLException {
    List<ScheduleFiring> all =
        fired.stream()
            .flatMap(
                one ->
                    one.decision().firings().stream()
                        .map(firing -> new ScheduleFiring(one.schedule().id(), firing)))
            .toList();
    if (all.isEmpty()) {
      return;
    }
    try (NamedParameterStatement statement = statement("firing.insert")) {
      PostgresParameters.array(statement, "schedules", "uuid", all, ScheduleFiring::schedule);
      PostgresParameters.array(
          statement,
          "scheduled_for",
          "timestamptz",
          all,
          one -> PostgresParameters.instantText(one.firing().scheduledFor()));
      PostgresParameters.array(statement, "manual", "bool", all, one -> one.firing().manual());
      PostgresParameters.array(
          statement,
          "fired_at",
          "timestamptz",
          all,
          one -> PostgresParameters.instantText(one.firing().firedAt()));
      PostgresParameters.array(
          statement, "outcomes", "text", all, one -> one.firing().outcome().text());
      PostgresParameters.array(statement, "batches", "uuid", all, one -> one.firing().batch());
      PostgresParameters.array(statement, "missed", "int8", all, one -> one.firing().missed());
      statement.update();
    }
  }

  private void advance(List<Fired> fired) throws SQLException {
    try (NamedParameterStatement statement = statement("schedule.advance")) {
      indexes(statement, fired.size());
      PostgresParameters.array(statement, "ids", "uuid", fired, one -> one.schedule().id());
      PostgresParameters.array(
          statement,
          "nexts_at",
          "timestamptz",
          fired,
          one -> PostgresParameters.instantText(one.decision().nextAt()));
      PostgresParameters.array(
          statement,
          "looks_at",
          "timestamptz",
          fired,
          one -> PostgresParameters.instantText(one.decision().lookAt()));
      PostgresParameters.array(statement, "queued", "int4", fired, one -> one.decision().queued());
      PostgresParameters.array(
          statement, "firings", "int4", fired, one -> one.decision().firings().size());
      statement.update();
    }
  }

  private void prune(List<Fired> fired) throws SQLException {
    for (Fired one : fired) {
      if (ScheduleStore.isPruned(one.schedule(), one.decision())) {
        try (NamedParameterStatement statement = statement("firing.prune")) {
          PostgresParameters.uuid(statement, "schedule", one.schedule().id());
          statement.integer("kept", ScheduleStore.MAX_KEPT).update();
        }
      }
    }
  }

  private static void indexes(NamedParameterStatement statement, int size) throws SQLException {
    List<Integer> indexes = IntStream.range(0, size).boxed().toList();
    PostgresParameters.array(statement, "item_indexes", "int4", indexes, index -> index);
  }

  private NamedParameterStatement statement(String name) throws SQLException {
    return executor.statement(connection, name).integer("shard", shard);
  }
}

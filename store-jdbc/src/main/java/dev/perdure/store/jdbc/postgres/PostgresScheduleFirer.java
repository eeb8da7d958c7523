// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.FiringProblem;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.ScheduleStore.DueSchedule;
import dev.perdure.engine.spi.ScheduleStore.FiringDecider;
import dev.perdure.engine.spi.ScheduleStore.FiringDecision;
import dev.perdure.engine.spi.ScheduleStore.FiringRound;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.ScheduleRowMapper;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
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

  private record ScheduleBatch(UUID schedule, UUID batch) {}

  FiringRound fireDue(int limit, FiringDecider decider) throws SQLException {
    try (NamedParameterStatement statement = statement("schedule.lock_due")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      List<Schedule> locked =
          statement.integer("limit", limit).list(PostgresScheduleStore.ROWS::schedule);
      return locked.isEmpty() ? FiringRound.NONE : fireAll(withStates(locked), decider);
    }
  }

  private List<DueSchedule> withStates(List<Schedule> locked) throws SQLException {
    try (NamedParameterStatement statement = statement("schedule.states")) {
      PostgresParameters.array(statement, "ids", "uuid", locked, Schedule::id);
      return ScheduleRowMapper.due(locked, statement.list(PostgresScheduleStore.ROWS::state));
    }
  }

  private FiringRound fireAll(List<DueSchedule> due, FiringDecider decider) throws SQLException {
    Instant now = executor.now(connection);
    List<Fired> fired = new ArrayList<>();
    List<FiringProblem> problems = new ArrayList<>();
    int decided = 0;
    for (int tasks = 0;
        decided < due.size() && tasks < ScheduleStore.MAX_TASKS_PER_ROUND;
        decided++) {
      Schedule schedule = due.get(decided).schedule();
      try {
        fired.add(decide(due.get(decided), now, decider));
        tasks += fired.getLast().decision().tasks();
      } catch (RuntimeException failure) {
        problems.add(FiringProblem.of(schedule, failure));
      }
    }
    tryToWrite(fired, problems);
    if (!problems.isEmpty()) {
      postpone(problems, now.plus(FiringProblem.RETRY_AFTER));
    }
    return new FiringRound(decided, problems);
  }

  private Fired decide(DueSchedule due, Instant now, FiringDecider decider) {
    FiringDecision decision = decider.decide(due, now);
    decision
        .submissions()
        .forEach(submission -> submission.requireValid(executor.settings().shards()));
    return new Fired(due.schedule(), decision);
  }

  Optional<List<Firing>> fire(UUID schedule, FiringDecider decider) throws SQLException {
    try (NamedParameterStatement statement = statement("schedule.lock")) {
      PostgresParameters.uuid(statement, "id", schedule);
      List<Schedule> found = statement.list(PostgresScheduleStore.ROWS::schedule);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      Instant at =
          ScheduleStore.instantByHand(
              executor.now(connection),
              PostgresScheduleStore.firings(executor, connection, schedule, 1));
      return Optional.of(write(List.of(decide(withStates(found).getFirst(), at, decider))));
    }
  }

  /**
   * Writes all of them together. If that fails, writes each half, to find those that cannot be
   * written: a few statements for each of them instead of some for every schedule.
   */
  private void tryToWrite(List<Fired> fired, List<FiringProblem> problems) throws SQLException {
    if (fired.isEmpty()) {
      return;
    }
    Savepoint savepoint = connection.setSavepoint();
    try {
      write(fired);
      connection.releaseSavepoint(savepoint);
    } catch (SQLException failure) {
      SqlErrorClass error = SqlErrorClass.of(failure);
      if (error == SqlErrorClass.CONFLICT || error == SqlErrorClass.CONNECTION_LOST) {
        throw failure;
      }
      connection.rollback(savepoint);
      tryApart(
          fired,
          problems,
          schedule -> FiringProblem.refused(schedule, SqlErrorClass.code(failure)));
    } catch (RuntimeException failure) {
      connection.rollback(savepoint);
      tryApart(fired, problems, schedule -> FiringProblem.of(schedule, failure));
    }
  }

  private void tryApart(
      List<Fired> fired, List<FiringProblem> problems, Function<Schedule, FiringProblem> problem)
      throws SQLException {
    if (fired.size() == 1) {
      problems.add(problem.apply(fired.getFirst().schedule()));
      return;
    }
    int middle = fired.size() / 2;
    tryToWrite(fired.subList(0, middle), problems);
    tryToWrite(fired.subList(middle, fired.size()), problems);
  }

  /** Returns the firings that were stored. */
  private List<Firing> write(List<Fired> fired) throws SQLException {
    Set<UUID> empty = submit(fired);
    List<ScheduleFiring> firings = insertFirings(fired, empty);
    advance(fired);
    prune(fired);
    return firings.stream().map(ScheduleFiring::firing).toList();
  }

  private void postpone(List<FiringProblem> problems, Instant lookAt) throws SQLException {
    try (NamedParameterStatement statement = statement("schedule.postpone")) {
      indexes(statement, problems.size());
      PostgresParameters.array(statement, "ids", "uuid", problems, FiringProblem::schedule);
      PostgresParameters.array(statement, "problems", "text", problems, FiringProblem::problem);
      PostgresParameters.instant(statement, "look_at", lookAt);
      statement.update();
    }
  }

  /** Returns the batches that are not stored, because live tasks have all their dedupe keys. */
  private Set<UUID> submit(List<Fired> fired) throws SQLException {
    List<Submission> small = new ArrayList<>();
    List<ScheduleTask> tasks = new ArrayList<>();
    Set<UUID> empty = new HashSet<>();
    for (Fired one : fired) {
      for (Submission submission : one.decision().submissions()) {
        if (PostgresSubmissionWriter.isSmall(submission)) {
          small.add(submission);
        } else if (submissions.submitAtomically(connection, submission).stored() == 0) {
          empty.add(submission.batch());
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
      markRuns(fired);
    }
    return empty;
  }

  private void markTasks(List<ScheduleTask> tasks) throws SQLException {
    try (NamedParameterStatement statement = statement("schedule.mark_tasks")) {
      indexes(statement, tasks.size());
      PostgresParameters.array(statement, "ids", "uuid", tasks, ScheduleTask::task);
      PostgresParameters.array(statement, "schedules", "uuid", tasks, ScheduleTask::schedule);
      statement.update();
    }
  }

  private void markRuns(List<Fired> fired) throws SQLException {
    List<ScheduleBatch> batches =
        fired.stream()
            .flatMap(
                one ->
                    one.decision().submissions().stream()
                        .filter(submission -> submission.definition().hasRuns())
                        .map(batch -> new ScheduleBatch(one.schedule().id(), batch.batch())))
            .toList();
    if (batches.isEmpty()) {
      return;
    }
    try (NamedParameterStatement statement = statement("schedule.mark_runs")) {
      indexes(statement, batches.size());
      PostgresParameters.array(statement, "batches", "uuid", batches, ScheduleBatch::batch);
      PostgresParameters.array(statement, "schedules", "uuid", batches, ScheduleBatch::schedule);
      statement.update();
    }
  }

  private List<ScheduleFiring> insertFirings(List<Fired> fired, Set<UUID> empty)
      throws SQLException {
    List<ScheduleFiring> all = new ArrayList<>();
    for (Fired one : fired) {
      for (Firing firing : one.decision().firings()) {
        boolean skipped = firing.batch() != null && empty.contains(firing.batch());
        all.add(new ScheduleFiring(one.schedule().id(), skipped ? firing.skipped() : firing));
      }
    }
    if (all.isEmpty()) {
      return all;
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
    return all;
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
    List<UUID> pruned =
        fired.stream()
            .filter(one -> ScheduleStore.isPruned(one.schedule(), one.decision()))
            .map(one -> one.schedule().id())
            .toList();
    if (pruned.isEmpty()) {
      return;
    }
    try (NamedParameterStatement statement = statement("firing.prune")) {
      indexes(statement, pruned.size());
      PostgresParameters.array(statement, "schedules", "uuid", pruned, id -> id);
      statement.integer("kept", ScheduleStore.MAX_KEPT).update();
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

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of one shard on a connection whose transaction is somebody else's: one statement,
 * a second in the same transaction only when somebody outside is told of a change, and another when
 * some were refused.
 */
final class PostgresChangeWriter {

  private static final int MAX_ATTEMPTS_READ = 10;

  private final PostgresExecutor executor;
  private final TaskRowMapper rowMapper;
  private final CurrentState currentState;
  private final DeliveryWriter deliveryWriter;

  PostgresChangeWriter(PostgresExecutor postgresExecutor, TaskRowMapper rows) {
    this.executor = postgresExecutor;
    this.rowMapper = rows;
    this.currentState = new CurrentState(postgresExecutor);
    this.deliveryWriter = new DeliveryWriter(postgresExecutor);
  }

  /**
   * Writes those whose guard holds.
   *
   * @param unsure true when an earlier try may have written them: a change was written then when
   *     the lease that it ends has this very end for its record
   */
  List<WriteResult> apply(
      Connection connection, int shard, List<TaskChange> taskChanges, boolean unsure)
      throws SQLException {
    GuardedWrites<TaskChange> guardedWrites =
        new GuardedWrites<>(taskChanges, TaskChange::task, TaskChange::task);
    if (taskChanges.stream().allMatch(taskChange -> taskChange.deliveries().isEmpty())) {
      write(connection, shard, guardedWrites);
    } else {
      PostgresExecutor.inTransaction(
          connection,
          (same, again) -> {
            write(same, shard, guardedWrites);
            deliveryWriter.insert(same, shard, guardedWrites);
            return true;
          });
    }
    return currentState.results(
        connection,
        shard,
        guardedWrites,
        (taskChange, stateRow) -> unsure && wasWritten(connection, taskChange, stateRow));
  }

  /** A change that ends no lease leaves no record; then it is told by how the task stands. */
  private boolean wasWritten(
      Connection connection, TaskChange taskChange, CurrentState.StateRow stateRow)
      throws SQLException {
    return taskChange.attemptDetails() == null
        ? stateRow.state() == taskChange.to()
            && stateRow.epoch() == taskChange.guard().epoch()
            && stateRow.attempt() == taskChange.retryCounters().attempt()
        : isRecorded(connection, taskChange);
  }

  private boolean isRecorded(Connection connection, TaskChange taskChange) throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "attempt.list_of_task")) {
      namedParameterStatement
          .integer("shard", Shards.of(taskChange.task()))
          .integer("limit", MAX_ATTEMPTS_READ);
      PostgresParameters.uuid(namedParameterStatement, "id", taskChange.task());
      ResultSet found = namedParameterStatement.query();
      while (found.next()) {
        Attempt record = rowMapper.attempt(found);
        if (record.epoch() == taskChange.guard().epoch()) {
          return record.details().equals(taskChange.attemptDetails());
        }
      }
      return false;
    }
  }

  private void write(Connection connection, int shard, GuardedWrites<TaskChange> guardedWrites)
      throws SQLException {
    List<Integer> places = guardedWrites.indexes();
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "task_state.apply")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      namedParameterStatement.integer("shard", shard);
      PostgresParameters.array(
          namedParameterStatement, "item_indexes", "int4", places, place -> place);
      List<TaskChange> taskChanges = places.stream().map(guardedWrites::item).toList();
      bindGuards(namedParameterStatement, taskChanges);
      bindNumbers(namedParameterStatement, taskChanges);
      bindNotes(namedParameterStatement, taskChanges);
      guardedWrites.markApplied(namedParameterStatement.query());
    }
  }

  private static void bindGuards(
      NamedParameterStatement namedParameterStatement, List<TaskChange> taskChanges)
      throws SQLException {
    PostgresParameters.array(namedParameterStatement, "ids", "uuid", taskChanges, TaskChange::task);
    texts(
        namedParameterStatement,
        "from_states",
        taskChanges,
        taskChange -> taskChange.guard().from().text());
    numbers(
        namedParameterStatement, "epochs", taskChanges, taskChange -> taskChange.guard().epoch());
    numbers(
        namedParameterStatement,
        "expected_attempts",
        taskChanges,
        taskChange -> taskChange.guard().attempt());
    texts(
        namedParameterStatement, "workers", taskChanges, taskChange -> taskChange.guard().worker());
    PostgresParameters.array(
        namedParameterStatement,
        "require_inactive",
        "bool",
        taskChanges,
        taskChange -> taskChange.guard().inactive());
    texts(namedParameterStatement, "to_states", taskChanges, taskChange -> taskChange.to().text());
  }

  private static void bindNumbers(
      NamedParameterStatement namedParameterStatement, List<TaskChange> taskChanges)
      throws SQLException {
    numbers(
        namedParameterStatement, "dues_in_ms", taskChanges, taskChange -> dueIn(taskChange.due()));
    PostgresParameters.array(
        namedParameterStatement,
        "dues_at",
        "timestamptz",
        taskChanges,
        taskChange -> PostgresParameters.dueAt(taskChange.due()));
    numbers(
        namedParameterStatement,
        "attempts",
        taskChanges,
        taskChange -> taskChange.retryCounters().attempt());
    PostgresParameters.array(
        namedParameterStatement,
        "losses",
        "int4",
        taskChanges,
        taskChange -> taskChange.retryCounters().losses());
    numbers(
        namedParameterStatement,
        "retry_bases",
        taskChanges,
        taskChange -> taskChange.retryCounters().retryBase());
    numbers(
        namedParameterStatement,
        "prev_delays_ms",
        taskChanges,
        taskChange -> SqlTimes.toMillisOrNull(taskChange.retryCounters().previousDelay()));
    PostgresParameters.array(
        namedParameterStatement,
        "hold_sets",
        "int4",
        taskChanges,
        taskChange -> taskChange.holdChange().set());
    PostgresParameters.array(
        namedParameterStatement,
        "hold_clears",
        "int4",
        taskChanges,
        taskChange -> taskChange.holdChange().clear());
    texts(
        namedParameterStatement,
        "give_up_reasons",
        taskChanges,
        taskChange -> taskChange.giveUpReason() == null ? null : taskChange.giveUpReason().text());
    PostgresParameters.array(
        namedParameterStatement, "resets_retries", "bool", taskChanges, TaskChange::resetsRetries);
    // Null but for those few: where there are none, no array is sent.
    PostgresParameters.array(
        namedParameterStatement,
        "hands_off",
        "bool",
        taskChanges,
        taskChange -> taskChange.handsOff() ? true : null);
    texts(namedParameterStatement, "cancel_actions", taskChanges, TaskChange::cancelAction);
    numbers(
        namedParameterStatement,
        "successes",
        taskChanges,
        taskChange -> orNull(taskChange.counterDelta().success()));
    numbers(
        namedParameterStatement,
        "failures",
        taskChanges,
        taskChange -> orNull(taskChange.counterDelta().failures()));
  }

  private static void bindNotes(
      NamedParameterStatement namedParameterStatement, List<TaskChange> taskChanges)
      throws SQLException {
    notes(namedParameterStatement, "outcomes", taskChanges, note -> note.outcome().text());
    notes(namedParameterStatement, "failure_kinds", taskChanges, AttemptDetails::failureKind);
    PostgresParameters.array(
        namedParameterStatement,
        "statuses",
        "int4",
        taskChanges,
        taskChange ->
            taskChange.attemptDetails() == null ? null : taskChange.attemptDetails().status());
    notes(namedParameterStatement, "codes", taskChanges, AttemptDetails::code);
    notes(namedParameterStatement, "messages", taskChanges, AttemptDetails::message);
    notes(
        namedParameterStatement,
        "exception_types",
        taskChanges,
        note -> TaskRowMapper.types(note.exceptionTypes()));
    notes(namedParameterStatement, "stacks", taskChanges, AttemptDetails::stack);
    numbers(
        namedParameterStatement,
        "delays_ms",
        taskChanges,
        taskChange ->
            taskChange.attemptDetails() == null
                ? null
                : SqlTimes.toMillisOrNull(taskChange.attemptDetails().delay()));
    notes(namedParameterStatement, "results", taskChanges, AttemptDetails::result);
  }

  private static @Nullable Long orNull(long added) {
    return added == 0 ? null : (Long) added;
  }

  private static @Nullable Long dueIn(Due due) {
    return due instanceof Due.In in ? SqlTimes.toMillis(in.delay()) : null;
  }

  private static void numbers(
      NamedParameterStatement namedParameterStatement,
      String parameter,
      List<TaskChange> taskChanges,
      Function<TaskChange, @Nullable Long> value)
      throws SQLException {
    PostgresParameters.array(namedParameterStatement, parameter, "int8", taskChanges, value::apply);
  }

  private static void texts(
      NamedParameterStatement namedParameterStatement,
      String parameter,
      List<TaskChange> taskChanges,
      Function<TaskChange, @Nullable String> value)
      throws SQLException {
    PostgresParameters.array(
        namedParameterStatement,
        parameter,
        "text",
        taskChanges,
        taskChange -> PostgresParameters.withoutNul(value.apply(taskChange)));
  }

  private static void notes(
      NamedParameterStatement namedParameterStatement,
      String parameter,
      List<TaskChange> taskChanges,
      Function<AttemptDetails, @Nullable String> value)
      throws SQLException {
    texts(
        namedParameterStatement,
        parameter,
        taskChanges,
        taskChange ->
            taskChange.attemptDetails() == null ? null : value.apply(taskChange.attemptDetails()));
  }
}

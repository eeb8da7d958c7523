// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.HoldReason;
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
 * Applies changes of one shard on a given connection and never commits. It runs one statement, a
 * second one in the same transaction if there are deliveries, and another one if changes were
 * refused.
 */
final class PostgresChangeWriter {

  private static final int MAX_ATTEMPTS_READ = 10;

  private final PostgresExecutor executor;
  private final TaskRowMapper rowMapper;
  private final CurrentState currentState;
  private final DeliveryWriter deliveryWriter;

  PostgresChangeWriter(PostgresExecutor executor, TaskRowMapper rowMapper) {
    this.executor = executor;
    this.rowMapper = rowMapper;
    this.currentState = new CurrentState(executor);
    this.deliveryWriter = new DeliveryWriter(executor);
  }

  /**
   * Applies the changes whose guard holds.
   *
   * @param mayHaveCommitted true if an earlier try may have applied them. A change that ends a
   *     lease then counts as applied if the record of that lease matches it
   */
  List<WriteResult> apply(
      Connection connection, int shard, List<TaskChange> changes, boolean mayHaveCommitted)
      throws SQLException {
    GuardedWrites<TaskChange> writes =
        new GuardedWrites<>(changes, TaskChange::task, TaskChange::task);
    if (changes.stream()
        .allMatch(change -> change.deliveries().isEmpty() && !change.waivesDependencies())) {
      write(connection, shard, writes);
    } else {
      PostgresExecutor.inTransaction(
          connection,
          (same, again) -> {
            write(same, shard, writes);
            deliveryWriter.insert(same, shard, writes);
            waiveDependencies(same, shard, writes);
            return true;
          });
    }
    return currentState.results(
        connection,
        shard,
        writes,
        (change, current) -> mayHaveCommitted && wasWritten(connection, change, current));
  }

  private void waiveDependencies(Connection connection, int shard, GuardedWrites<TaskChange> writes)
      throws SQLException {
    for (int index : writes.indexes()) {
      TaskChange change = writes.item(index);
      if (change.waivesDependencies() && writes.isApplied(index)) {
        try (NamedParameterStatement statement =
            executor.statement(connection, "dependency.waive")) {
          PostgresParameters.uuid(statement.integer("shard", shard), "child", change.task());
          statement.update();
        }
      }
    }
  }

  /** A change that does not end a lease leaves no record. It is recognized by the task's state. */
  private boolean wasWritten(
      Connection connection, TaskChange change, CurrentState.StateRow current) throws SQLException {
    return change.attemptDetails() == null
        ? current.state() == change.to()
            && current.epoch() == change.guard().epoch()
            && current.attempt() == change.retryCounters().attempt()
        : isRecorded(connection, change);
  }

  private boolean isRecorded(Connection connection, TaskChange change) throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "attempt.list_of_task")) {
      statement.integer("shard", Shards.of(change.task())).integer("limit", MAX_ATTEMPTS_READ);
      PostgresParameters.uuid(statement, "id", change.task());
      ResultSet found = statement.query();
      while (found.next()) {
        Attempt record = rowMapper.attempt(found);
        if (record.epoch() == change.recordEpoch()) {
          return record.details().equals(change.attemptDetails());
        }
      }
      return false;
    }
  }

  private void write(Connection connection, int shard, GuardedWrites<TaskChange> writes)
      throws SQLException {
    List<Integer> indexes = writes.indexes();
    try (NamedParameterStatement statement = executor.statement(connection, "task_state.apply")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement.integer("shard", shard);
      PostgresParameters.array(statement, "item_indexes", "int4", indexes, index -> index);
      List<TaskChange> changes = indexes.stream().map(writes::item).toList();
      bindGuards(statement, changes);
      bindNumbers(statement, changes);
      bindDetails(statement, changes);
      writes.markAppliedAndObserved(statement.query());
    }
  }

  private static void bindGuards(NamedParameterStatement statement, List<TaskChange> changes)
      throws SQLException {
    PostgresParameters.array(statement, "ids", "uuid", changes, TaskChange::task);
    texts(statement, "from_states", changes, change -> change.guard().from().text());
    numbers(statement, "epochs", changes, change -> change.guard().epoch());
    numbers(statement, "expected_attempts", changes, change -> change.guard().attempt());
    texts(statement, "workers", changes, change -> change.guard().worker());
    PostgresParameters.array(
        statement, "require_inactive", "bool", changes, change -> change.guard().inactive());
    texts(statement, "to_states", changes, change -> change.to().text());
    PostgresParameters.array(
        statement,
        "expected_unmet",
        "int4",
        changes,
        change ->
            change.guard().dependencies() == null ? null : change.guard().dependencies().unmet());
    PostgresParameters.array(
        statement,
        "expected_unmet_failed",
        "int4",
        changes,
        change ->
            change.guard().dependencies() == null ? null : change.guard().dependencies().failed());
    PostgresParameters.array(
        statement, "waives", "bool", changes, change -> change.waivesDependencies() ? true : null);
  }

  private static void bindNumbers(NamedParameterStatement statement, List<TaskChange> changes)
      throws SQLException {
    numbers(statement, "dues_in_ms", changes, change -> dueIn(change.due()));
    PostgresParameters.array(
        statement,
        "dues_at",
        "timestamptz",
        changes,
        change -> PostgresParameters.dueAt(change.due()));
    numbers(statement, "attempts", changes, change -> change.retryCounters().attempt());
    PostgresParameters.array(
        statement, "losses", "int4", changes, change -> change.retryCounters().losses());
    numbers(statement, "retry_bases", changes, change -> change.retryCounters().retryBase());
    numbers(
        statement,
        "prev_delays_ms",
        changes,
        change -> SqlTimes.toMillisOrNull(change.retryCounters().previousDelay()));
    PostgresParameters.array(
        statement,
        "hold_sets",
        "int4",
        changes,
        change -> HoldReason.bits(change.holdChange().set()));
    PostgresParameters.array(
        statement,
        "hold_clears",
        "int4",
        changes,
        change -> HoldReason.bits(change.holdChange().clear()));
    texts(
        statement,
        "give_up_reasons",
        changes,
        change -> change.giveUpReason() == null ? null : change.giveUpReason().text());
    PostgresParameters.array(
        statement, "restarts_expiry", "bool", changes, TaskChange::restartsExpiry);
    // Null for all but a few changes. If all values are null, no array is sent.
    PostgresParameters.array(
        statement, "hands_off", "bool", changes, change -> change.handsOff() ? true : null);
    texts(statement, "cancel_actions", changes, TaskChange::cancelAction);
    numbers(statement, "successes", changes, change -> orNull(change.counterDelta().success()));
    numbers(statement, "failures", changes, change -> orNull(change.counterDelta().failures()));
  }

  private static void bindDetails(NamedParameterStatement statement, List<TaskChange> changes)
      throws SQLException {
    details(statement, "outcomes", changes, details -> details.outcome().text());
    details(statement, "failure_kinds", changes, AttemptDetails::failureKind);
    texts(statement, "errors", changes, TaskChange::error);
    PostgresParameters.array(
        statement,
        "statuses",
        "int4",
        changes,
        change -> change.attemptDetails() == null ? null : change.attemptDetails().status());
    details(statement, "codes", changes, AttemptDetails::code);
    details(statement, "messages", changes, AttemptDetails::message);
    details(
        statement,
        "exception_types",
        changes,
        details -> TaskRowMapper.types(details.exceptionTypes()));
    details(statement, "stacks", changes, AttemptDetails::stack);
    numbers(
        statement,
        "delays_ms",
        changes,
        change ->
            change.attemptDetails() == null
                ? null
                : SqlTimes.toMillisOrNull(change.attemptDetails().delay()));
    details(statement, "results", changes, AttemptDetails::result);
  }

  private static @Nullable Long orNull(long added) {
    return added == 0 ? null : (Long) added;
  }

  private static @Nullable Long dueIn(DueTime dueTime) {
    return dueTime instanceof DueTime.In in ? SqlTimes.toMillis(in.delay()) : null;
  }

  private static void numbers(
      NamedParameterStatement statement,
      String parameter,
      List<TaskChange> changes,
      Function<TaskChange, @Nullable Long> value)
      throws SQLException {
    PostgresParameters.array(statement, parameter, "int8", changes, value::apply);
  }

  private static void texts(
      NamedParameterStatement statement,
      String parameter,
      List<TaskChange> changes,
      Function<TaskChange, @Nullable String> value)
      throws SQLException {
    PostgresParameters.array(
        statement,
        parameter,
        "text",
        changes,
        change -> PostgresParameters.withoutNul(value.apply(change)));
  }

  private static void details(
      NamedParameterStatement statement,
      String parameter,
      List<TaskChange> changes,
      Function<AttemptDetails, @Nullable String> value)
      throws SQLException {
    texts(
        statement,
        parameter,
        changes,
        change -> change.attemptDetails() == null ? null : value.apply(change.attemptDetails()));
  }
}

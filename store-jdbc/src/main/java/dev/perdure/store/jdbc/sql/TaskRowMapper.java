// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.query.AttemptRow;
import dev.perdure.engine.query.TaskRelations;
import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskHeader;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import dev.perdure.engine.task.TraceContext;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Maps rows to tasks and attempts. The columns have the names of the schema. */
public final class TaskRowMapper {

  private static final String TYPE_SEPARATOR = "\n";

  private final ColumnReader columnReader;

  public TaskRowMapper(ColumnReader columnReader) {
    this.columnReader = columnReader;
  }

  /** Reads ids and instants, which each dialect stores differently. */
  public interface ColumnReader {

    UUID uuid(ResultSet row, String column) throws SQLException;

    @Nullable Instant instant(ResultSet row, String column) throws SQLException;
  }

  public Task task(ResultSet row) throws SQLException {
    TaskState state = state(row);
    return new Task(
        columnReader.uuid(row, "id"),
        columnReader.uuid(row, "batch"),
        row.getInt("run"),
        definition(row),
        state,
        HoldReason.ofBits(row.getInt("hold")),
        row.getLong("epoch"),
        row.getString("owner"),
        number(row, "handle_epoch"),
        row.getString("cancel_action"),
        retryCounters(row),
        times(row),
        progress(row),
        lastResult(row),
        // A claim reads many rows, and a task that is claimed waits for nothing.
        state.isLeased() ? DependencyCounts.NONE : counts(row));
  }

  /** Maps a row of a list, which has no payload, actions or result. */
  public TaskRow row(ResultSet row) throws SQLException {
    return new TaskRow(
        columnReader.uuid(row, "id"),
        columnReader.uuid(row, "batch"),
        row.getInt("run"),
        header(row),
        state(row),
        HoldReason.ofBits(row.getInt("hold")),
        row.getLong("epoch"),
        row.getString("owner"),
        retryCounters(row),
        times(row),
        progress(row),
        new TaskRow.LastFailure(
            row.getString("failure_kind"),
            row.getString("message"),
            row.getString("code"),
            reason(row),
            row.getString("error")),
        counts(row));
  }

  public Attempt attempt(ResultSet row) throws SQLException {
    String types = row.getString("exception_types");
    AttemptDetails details =
        new AttemptDetails(
            AttemptOutcome.of(row.getString("outcome")).orElseThrow(),
            row.getString("failure_kind"),
            row.getInt("status"),
            row.getString("code"),
            row.getString("message"),
            types == null ? List.of() : List.of(types.split(TYPE_SEPARATOR, -1)),
            row.getString("stack"),
            duration(row, "delay_ms"),
            row.getString("result"));
    return new Attempt(
        columnReader.uuid(row, "task"),
        row.getLong("epoch"),
        row.getLong("number"),
        row.getString("worker"),
        columnReader.instant(row, "started_at"),
        instant(row, "ended_at"),
        details,
        columnReader.instant(row, "next_at"));
  }

  public AttemptRow attemptRow(ResultSet row) throws SQLException {
    return new AttemptRow(attempt(row), row.getBoolean("has_stack"));
  }

  public TaskRelations relations(ResultSet row) throws SQLException {
    return new TaskRelations(
        row.getInt("attempts"),
        row.getInt("parents"),
        row.getInt("children"),
        row.getObject("schedule") == null ? null : columnReader.uuid(row, "schedule"));
  }

  /** Joins exception types into one text, or returns null if there are none. */
  public static @Nullable String types(List<String> types) {
    return types.isEmpty() ? null : String.join(TYPE_SEPARATOR, types);
  }

  public TaskState state(ResultSet row) throws SQLException {
    return TaskState.of(row.getString("state")).orElseThrow();
  }

  /** Reads an instant that must not be null. */
  public Instant instant(ResultSet row, String column) throws SQLException {
    Instant instant = columnReader.instant(row, column);
    if (instant == null) {
      throw new SQLException("the column " + column + " is null");
    }
    return instant;
  }

  private TaskDefinition definition(ResultSet row) throws SQLException {
    return new TaskDefinition(
        row.getString("kind"),
        row.getString("name"),
        row.getString("payload"),
        row.getString("metadata"),
        row.getString("policy"),
        row.getString("policy_as_given"),
        row.getString("strategy"),
        duration(row, "timeout_ms"),
        columnReader.instant(row, "deadline_at"),
        row.getInt("priority"),
        row.getString("idempotency_key"),
        row.getString("local_id"),
        row.getString("queue"),
        row.getString("actions"),
        TraceContext.ofText(row.getString("trace")),
        row.getString("rules"),
        row.getString("dedupe_key"));
  }

  private TaskHeader header(ResultSet row) throws SQLException {
    return new TaskHeader(
        row.getString("kind"),
        row.getString("name"),
        row.getString("local_id"),
        row.getString("metadata"),
        row.getString("policy"),
        row.getString("policy_as_given"),
        duration(row, "timeout_ms"),
        columnReader.instant(row, "deadline_at"),
        row.getInt("priority"),
        TraceContext.ofText(row.getString("trace")));
  }

  private static DependencyCounts counts(ResultSet row) throws SQLException {
    return new DependencyCounts(row.getInt("unmet"), row.getInt("unmet_failed"));
  }

  /** Reads what the dependents of a task need to know. */
  public ParentStatus parentStatus(ResultSet row) throws SQLException {
    return new ParentStatus(
        state(row),
        reason(row) == TaskGiveUpReason.UPSTREAM_FAILED,
        counts(row),
        row.getInt("observers"));
  }

  private static RetryCounters retryCounters(ResultSet row) throws SQLException {
    return new RetryCounters(
        row.getLong("attempt"),
        row.getInt("losses"),
        row.getLong("retry_base"),
        duration(row, "prev_delay_ms"));
  }

  private static Progress progress(ResultSet row) throws SQLException {
    return new Progress(
        row.getLong("success"), row.getLong("failures"), number(row, "expected_count"));
  }

  private TaskTimes times(ResultSet row) throws SQLException {
    return new TaskTimes(
        instant(row, "created_at"),
        instant(row, "due_at"),
        instant(row, "retry_since"),
        columnReader.instant(row, "started_at"),
        columnReader.instant(row, "ended_at"),
        instant(row, "updated_at"));
  }

  private static LastResult lastResult(ResultSet row) throws SQLException {
    return new LastResult(
        row.getString("failure_kind"),
        row.getString("message"),
        row.getString("code"),
        reason(row),
        row.getString("result"),
        row.getString("error"));
  }

  private static @Nullable TaskGiveUpReason reason(ResultSet row) throws SQLException {
    String reason = row.getString("give_up_reason");
    return reason == null ? null : TaskGiveUpReason.of(reason).orElseThrow();
  }

  private static @Nullable Duration duration(ResultSet row, String column) throws SQLException {
    Long millis = number(row, column);
    return millis == null ? null : Duration.ofMillis(millis);
  }

  private static @Nullable Long number(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }
}

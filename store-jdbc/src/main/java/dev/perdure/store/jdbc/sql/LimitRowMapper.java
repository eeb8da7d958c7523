// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.query.LimitReader.LimitUsage;
import dev.perdure.engine.spi.LimitCheck;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.spi.LimitTables.OtherLimit;
import dev.perdure.engine.spi.LimitTables.WaitingTask;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.TaskRowMapper.ColumnReader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Maps rows of limits. The columns have the names of the schema. */
public final class LimitRowMapper {

  private final ColumnReader columns;

  public LimitRowMapper(ColumnReader columns) {
    this.columns = columns;
  }

  public LimitRow limit(ResultSet row) throws SQLException {
    return new LimitRow(
        row.getString("key"),
        row.getString("queue"),
        rule(LimitType.of(row.getString("type")).orElseThrow(), row),
        row.getLong("used"),
        columns.instant(row, "next_start_at"),
        columns.instant(row, "look_at"));
  }

  /** A locked limit, and when a claim last looked at it. */
  public record LockedLimit(LimitRow limit, Instant changedAt) {

    /** Together with what {@code limit_admin.check} found. */
    public LimitCheck check(ResultSet row, long held) throws SQLException {
      return new LimitCheck(
          limit,
          held,
          row.getLong("freed"),
          row.getBoolean("has_events"),
          row.getBoolean("has_waiting"),
          changedAt);
    }
  }

  public LockedLimit locked(ResultSet row) throws SQLException {
    return new LockedLimit(limit(row), required(row, "updated_at"));
  }

  /** Reads how much a limit allows. */
  public LimitRule rule(LimitType type, ResultSet row) throws SQLException {
    long perMs = row.getLong("per_ms");
    Duration per = row.wasNull() ? null : Duration.ofMillis(perMs);
    return new LimitRule(type, row.getLong("max"), per, row.getInt("burst"));
  }

  public WaitingTask waiting(ResultSet row) throws SQLException {
    return new WaitingTask(
        columns.uuid(row, "id"),
        row.getString("kind"),
        row.getString("task_queue"),
        required(row, "due_at"),
        required(row, "claim_at"),
        TaskLimit.keys(row.getString("limits")),
        row.getLong("work"));
  }

  private Instant required(ResultSet row, String column) throws SQLException {
    Instant value = columns.instant(row, column);
    if (value == null) {
      throw new SQLException("the column " + column + " is null");
    }
    return value;
  }

  /** A limit that tasks have beside the one they wait for. */
  public OtherLimit other(ResultSet row) throws SQLException {
    return new OtherLimit(limit(row), columns.instant(row, "first_waiting"));
  }

  /** What the limits of a task allow, by its definition. */
  public static List<TaskLimit> described(ResultSet row) throws SQLException {
    return LimitRules.describe(
        row.getString("limits"),
        row.getString("rules"),
        row.getString("kind"),
        row.getString("metadata"));
  }

  /** The limits of a kind. */
  public KindLimit kindLimit(ResultSet row) throws SQLException {
    String kind = row.getString("kind");
    return new KindLimit(
        kind,
        LimitRules.read(row.getString("rules"), kind),
        KindLimit.Source.of(row.getString("source")).orElseThrow(),
        required(row, "updated_at"));
  }

  /** The first text after all that begin with this prefix, which ends with an ASCII character. */
  public static String afterPrefix(String prefix) {
    int last = prefix.length() - 1;
    return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
  }

  public LimitUsage usage(ResultSet row) throws SQLException {
    return new LimitUsage(
        row.getString("key"),
        rule(LimitType.of(row.getString("type")).orElseThrow(), row),
        row.getLong("used"),
        row.getLong("waiting"),
        columns.instant(row, "next_start_at"));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Misfire;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.TriggerJson;
import dev.perdure.engine.spi.ScheduleStore.DueSchedule;
import dev.perdure.store.jdbc.sql.TaskRowMapper.ColumnReader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** Maps rows of schedules and firings. The columns have the names of the schema. */
public final class ScheduleRowMapper {

  private final ColumnReader columns;

  public ScheduleRowMapper(ColumnReader columns) {
    this.columns = columns;
  }

  public Schedule schedule(ResultSet row) throws SQLException {
    return new Schedule(
        columns.uuid(row, "id"),
        row.getString("name"),
        TriggerJson.stored(row.getString("trigger_json")),
        Overlap.of(row.getString("overlap")).orElseThrow(),
        Misfire.of(row.getString("misfire")).orElseThrow(),
        row.getBoolean("enabled"),
        row.getString("template"),
        row.getString("as_given"),
        row.getLong("version"),
        required(row, "anchor_at"),
        columns.instant(row, "next_at"),
        row.getInt("queued"),
        row.getLong("firings"),
        required(row, "created_at"),
        required(row, "updated_at"),
        row.getString("problem"));
  }

  /** A locked schedule with its state. */
  public DueSchedule due(ResultSet row) throws SQLException {
    return new DueSchedule(
        schedule(row), row.getBoolean("busy"), columns.instant(row, "oldest_queued"));
  }

  public Firing firing(ResultSet row) throws SQLException {
    return new Firing(
        required(row, "scheduled_for"),
        row.getBoolean("manual"),
        required(row, "fired_at"),
        Firing.Outcome.of(row.getString("outcome")).orElseThrow(),
        row.getObject("batch") == null ? null : columns.uuid(row, "batch"),
        row.getLong("missed"));
  }

  private Instant required(ResultSet row, String column) throws SQLException {
    Instant value = columns.instant(row, column);
    if (value == null) {
      throw new SQLException("the column " + column + " is null");
    }
    return value;
  }
}

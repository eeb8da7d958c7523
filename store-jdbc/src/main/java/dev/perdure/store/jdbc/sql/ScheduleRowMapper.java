// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.query.ScheduleDelay;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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

  /**
   * What is read about a schedule after it is locked.
   *
   * @param oldestQueued null when no firing waits
   */
  public record ScheduleState(UUID id, boolean busy, @Nullable Instant oldestQueued) {}

  public ScheduleState state(ResultSet row) throws SQLException {
    return new ScheduleState(
        columns.uuid(row, "id"), row.getBoolean("busy"), columns.instant(row, "oldest_queued"));
  }

  /** Locked schedules with their states. */
  public static List<DueSchedule> due(List<Schedule> locked, List<ScheduleState> states) {
    Map<UUID, ScheduleState> byId = new HashMap<>();
    states.forEach(state -> byId.put(state.id(), state));
    List<DueSchedule> due = new ArrayList<>();
    for (Schedule schedule : locked) {
      ScheduleState state = Objects.requireNonNull(byId.get(schedule.id()));
      due.add(new DueSchedule(schedule, state.busy(), state.oldestQueued()));
    }
    return due;
  }

  public ScheduleDelay delay(ResultSet row) throws SQLException {
    return ScheduleDelay.of(columns.uuid(row, "schedule"), row.getString("name"), firing(row));
  }

  public ScheduleDelay overdue(ResultSet row) throws SQLException {
    return ScheduleDelay.overdue(
        columns.uuid(row, "id"),
        row.getString("name"),
        required(row, "next_at"),
        row.getString("problem"));
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

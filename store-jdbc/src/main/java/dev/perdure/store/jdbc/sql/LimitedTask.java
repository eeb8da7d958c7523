// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.TaskRowMapper.ColumnReader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task whose limits change.
 *
 * @param queue the queue or kind that it is claimed under; null when the change is not about it
 * @param limits the limits that it gets
 * @param keys the keys of the limits that it has
 */
public record LimitedTask(
    UUID id, @Nullable String queue, List<TaskLimit> limits, List<String> keys) {

  /** Reads a row of {@code limit_admin.tasks_of_batch}; the task gets these rules. */
  public static LimitedTask of(
      ColumnReader columns, ResultSet row, KindLimits kinds, @Nullable String rules)
      throws SQLException {
    String kind = row.getString("kind");
    List<TaskLimit> limits =
        kind == null ? List.of() : kinds.ofRules(rules, kind, row.getString("metadata"));
    return of(columns, row, limits);
  }

  /** Reads a row of {@code kind_limit.tasks}; the task gets the limits that its kind has now. */
  public static LimitedTask of(ColumnReader columns, ResultSet row, KindLimits kinds)
      throws SQLException {
    List<TaskLimit> limits =
        kinds.ofTask(
            row.getString("limits"),
            row.getString("rules"),
            row.getString("kind"),
            row.getString("metadata"));
    return of(columns, row, limits);
  }

  private static LimitedTask of(ColumnReader columns, ResultSet row, List<TaskLimit> limits)
      throws SQLException {
    return new LimitedTask(
        columns.uuid(row, "id"),
        row.getString("queue"),
        limits,
        TaskLimit.keys(row.getString("limits")));
  }

  public boolean isOutdated() {
    return !keys.equals(limits.stream().map(TaskLimit::key).toList());
  }

  public @Nullable String limitKey() {
    return limits.isEmpty() ? null : limits.getFirst().key();
  }
}

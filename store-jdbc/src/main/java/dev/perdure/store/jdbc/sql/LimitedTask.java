// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.spi.LimitRules;
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
 */
public record LimitedTask(UUID id, @Nullable String queue, List<TaskLimit> limits) {

  /** Reads a row of {@code limit_admin.tasks_of_batch}. */
  public static LimitedTask of(ColumnReader columns, ResultSet row, @Nullable String rules)
      throws SQLException {
    String kind = row.getString("kind");
    return new LimitedTask(
        columns.uuid(row, "id"),
        row.getString("queue"),
        kind == null ? List.of() : LimitRules.of(rules, kind, row.getString("metadata")));
  }

  public @Nullable String limitKey() {
    return limits.isEmpty() ? null : limits.getFirst().key();
  }
}

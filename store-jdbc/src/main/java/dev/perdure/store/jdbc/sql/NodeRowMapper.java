// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.query.NodeDetails;
import dev.perdure.engine.query.NodeLoad;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads rows of nodes. */
public final class NodeRowMapper {

  private static final String SEPARATOR = "\n";

  private final TaskRowMapper.ColumnReader columns;

  public NodeRowMapper(TaskRowMapper.ColumnReader columns) {
    this.columns = columns;
  }

  public NodeDetails node(ResultSet row) throws SQLException {
    Instant seenAt = columns.instant(row, "seen_at");
    return new NodeDetails(
        UUID.fromString(row.getString("id")),
        row.getString("name"),
        split(row.getString("kinds")),
        seenAt == null ? null : load(row),
        Objects.requireNonNull(columns.instant(row, "joined_at")),
        seenAt,
        Objects.requireNonNull(columns.instant(row, "expires_at")),
        columns.instant(row, "dead_at"));
  }

  private static NodeLoad load(ResultSet row) throws SQLException {
    return new NodeLoad(
        row.getString("version"),
        row.getInt("slots"),
        row.getInt("busy"),
        split(row.getString("remote_kinds")));
  }

  /** The form in which a list of kinds is stored. */
  public static String join(List<String> kinds) {
    return String.join(SEPARATOR, kinds);
  }

  private static List<String> split(@Nullable String kinds) {
    return kinds == null || kinds.isEmpty() ? List.of() : List.of(kinds.split(SEPARATOR, -1));
  }
}

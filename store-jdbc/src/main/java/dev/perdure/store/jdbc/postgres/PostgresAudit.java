// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.jdbc.access.AuditTrail;
import dev.perdure.store.jdbc.sql.Call;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of what operators did. */
record PostgresAudit(Session session) implements AuditTrail {

  @Override
  public void append(UUID id, Deed deed, Duration age, int kept) {
    session.repeatedly(
        "audit",
        (connection, unsure) -> {
          try (Call call = session.call(connection, "audit.append")) {
            Params.instant(call, "now", session.settings().now());
            Params.uuid(call, "id", id);
            return call.number("kept", (long) kept)
                .number("age_ms", age.toMillis())
                .text("who", Params.text(deed.who()))
                .text("key_id", deed.key())
                .text("action", deed.action())
                .text("subject", Params.text(deed.subject()))
                .text("detail", Params.text(deed.detail()))
                .update();
          }
        });
  }

  @Override
  public List<Entry> list(long before, @Nullable String subject, int limit) {
    return session.repeatedly(
        "list audit",
        (connection, unsure) -> {
          List<Entry> entries = new ArrayList<>();
          try (Call call = session.call(connection, "audit.list")) {
            ResultSet rows =
                call.number("before", before)
                    .text("subject", Params.text(subject))
                    .count("limit", limit)
                    .query();
            while (rows.next()) {
              entries.add(entry(rows));
            }
          }
          return entries;
        });
  }

  private static Entry entry(ResultSet row) throws SQLException {
    return new Entry(
        row.getLong("number"),
        Objects.requireNonNull(new PostgresColumns().instant(row, "at")),
        new Deed(
            row.getString("who"),
            row.getString("key_id"),
            row.getString("action"),
            row.getString("subject"),
            row.getString("detail")));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.jdbc.access.AuditStore;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Audit entries in {@code perdure_audit}. */
record PostgresAuditStore(PostgresExecutor executor) implements AuditStore {

  @Override
  public void append(UUID id, NewAuditEntry entry, Duration age, int maxEntries) {
    executor.runIdempotent(
        "append audit entry",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = executor.statement(connection, "audit.append")) {
            PostgresParameters.instant(statement, "now", executor.settings().now());
            PostgresParameters.uuid(statement, "id", id);
            return statement
                .number("max_entries", (long) maxEntries)
                .number("age_ms", age.toMillis())
                .text("who", PostgresParameters.withoutNul(entry.who()))
                .text("key_id", entry.key())
                .text("action", entry.action())
                .text("subject", PostgresParameters.withoutNul(entry.subject()))
                .text("detail", PostgresParameters.withoutNul(entry.detail()))
                .update();
          }
        });
  }

  @Override
  public List<StoredAuditEntry> list(long before, @Nullable String subject, int limit) {
    return executor.runIdempotent(
        "list audit entries",
        (connection, mayHaveCommitted) -> {
          List<StoredAuditEntry> entries = new ArrayList<>();
          try (NamedParameterStatement statement = executor.statement(connection, "audit.list")) {
            ResultSet rows =
                statement
                    .number("before", before)
                    .text("subject", PostgresParameters.withoutNul(subject))
                    .integer("limit", limit)
                    .query();
            while (rows.next()) {
              entries.add(entry(rows));
            }
          }
          return entries;
        });
  }

  private static StoredAuditEntry entry(ResultSet row) throws SQLException {
    return new StoredAuditEntry(
        row.getLong("number"),
        Objects.requireNonNull(new PostgresColumnReader().instant(row, "occurred_at")),
        new NewAuditEntry(
            row.getString("who"),
            row.getString("key_id"),
            row.getString("action"),
            row.getString("subject"),
            row.getString("detail")));
  }
}

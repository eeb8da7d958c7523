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

/** The rows of what operators did. */
record PostgresAuditStore(PostgresExecutor executor) implements AuditStore {

  @Override
  public void append(UUID id, NewAuditEntry newAuditEntry, Duration age, int kept) {
    executor.runIdempotent(
        "audit",
        (connection, unsure) -> {
          try (NamedParameterStatement namedParameterStatement =
              executor.statement(connection, "audit.append")) {
            PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
            PostgresParameters.uuid(namedParameterStatement, "id", id);
            return namedParameterStatement
                .number("max_entries", (long) kept)
                .number("age_ms", age.toMillis())
                .text("who", PostgresParameters.withoutNul(newAuditEntry.who()))
                .text("key_id", newAuditEntry.key())
                .text("action", newAuditEntry.action())
                .text("subject", PostgresParameters.withoutNul(newAuditEntry.subject()))
                .text("detail", PostgresParameters.withoutNul(newAuditEntry.detail()))
                .update();
          }
        });
  }

  @Override
  public List<StoredAuditEntry> list(long before, @Nullable String subject, int limit) {
    return executor.runIdempotent(
        "list audit",
        (connection, unsure) -> {
          List<StoredAuditEntry> storedAuditEntries = new ArrayList<>();
          try (NamedParameterStatement namedParameterStatement =
              executor.statement(connection, "audit.list")) {
            ResultSet rows =
                namedParameterStatement
                    .number("before", before)
                    .text("subject", PostgresParameters.withoutNul(subject))
                    .integer("limit", limit)
                    .query();
            while (rows.next()) {
              storedAuditEntries.add(entry(rows));
            }
          }
          return storedAuditEntries;
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

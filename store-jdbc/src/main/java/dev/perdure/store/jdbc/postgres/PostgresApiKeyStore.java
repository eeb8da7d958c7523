// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.jdbc.access.ApiKeyStore;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** API keys in {@code perdure_api_key}. */
record PostgresApiKeyStore(PostgresExecutor executor) implements ApiKeyStore {

  private static final String SEPARATOR = ",";

  @Override
  public boolean exists() {
    return executor.runIdempotent(
        "check for keys",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement =
              executor.statement(connection, "api_key.exists")) {
            ResultSet row = statement.query();
            return row.next() && row.getBoolean("found");
          }
        });
  }

  @Override
  public void add(NewApiKey key) {
    executor.runIdempotent(
        "add key",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = executor.statement(connection, "api_key.add")) {
            PostgresParameters.instant(statement, "now", executor.settings().now());
            return statement
                .text("id", key.id())
                .text("name", PostgresParameters.withoutNul(key.name()))
                .text("roles", String.join(SEPARATOR, key.roles()))
                .text("hash", key.hash())
                .number("validity_ms", SqlTimes.toMillisOrNull(key.validity()))
                .update();
          }
        });
  }

  @Override
  public Optional<ApiKey> find(String id) {
    return executor.runIdempotent(
        "find key",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = executor.statement(connection, "api_key.find")) {
            PostgresParameters.instant(statement, "now", executor.settings().now());
            ResultSet row = statement.text("id", id).query();
            return row.next() ? Optional.of(key(row)) : Optional.empty();
          }
        });
  }

  @Override
  public List<ApiKey> list(int limit) {
    return executor.runIdempotent(
        "list keys",
        (connection, mayHaveCommitted) -> {
          List<ApiKey> keys = new ArrayList<>();
          try (NamedParameterStatement statement = executor.statement(connection, "api_key.list")) {
            PostgresParameters.instant(statement, "now", executor.settings().now());
            ResultSet rows = statement.integer("limit", limit).query();
            while (rows.next()) {
              keys.add(key(rows));
            }
          }
          return keys;
        });
  }

  private static ApiKey key(ResultSet row) throws SQLException {
    PostgresColumnReader columns = new PostgresColumnReader();
    return new ApiKey(
        row.getString("id"),
        row.getString("name"),
        List.of(row.getString("roles").split(SEPARATOR, -1)),
        row.getString("hash"),
        Objects.requireNonNull(columns.instant(row, "created_at")),
        columns.instant(row, "expires_at"),
        columns.instant(row, "used_at"),
        columns.instant(row, "revoked_at"),
        row.getBoolean("active"),
        row.getBoolean("recently_used"));
  }

  @Override
  public void recordUse(String id) {
    write("api_key.record_use", id);
  }

  @Override
  public boolean revoke(String id) {
    return write("api_key.revoke", id) == 1;
  }

  private int write(String name, String id) {
    return executor.runIdempotent(
        name,
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = executor.statement(connection, name)) {
            PostgresParameters.instant(statement, "now", executor.settings().now());
            return statement.text("id", id).update();
          }
        });
  }
}

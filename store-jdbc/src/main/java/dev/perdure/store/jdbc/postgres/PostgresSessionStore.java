// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.jdbc.access.SessionStore;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Sessions in {@code perdure_session}. */
record PostgresSessionStore(PostgresExecutor executor) implements SessionStore {

  private static final String SEPARATOR = ",";

  @Override
  public void add(NewSession session, int maxPerKey) {
    executor.runIdempotent(
        "add session",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = timed(connection, "session.add")) {
            statement
                .text("hash", session.hash())
                .text("key_id", session.keyId())
                .number("idle_ms", session.idleTimeout().toMillis())
                .number("max_ms", session.maxLifetime().toMillis())
                .update();
          }
          try (NamedParameterStatement statement = timed(connection, "session.trim")) {
            return statement
                .text("key_id", session.keyId())
                .integer("max_sessions", maxPerKey)
                .update();
          }
        });
  }

  private NamedParameterStatement timed(Connection connection, String name) throws SQLException {
    NamedParameterStatement statement = executor.statement(connection, name);
    PostgresParameters.instant(statement, "now", executor.settings().now());
    return statement;
  }

  @Override
  public Optional<Session> find(String hash) {
    return executor.runIdempotent(
        "find session",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = timed(connection, "session.find")) {
            ResultSet row = statement.text("hash", hash).query();
            return row.next() ? Optional.of(session(row)) : Optional.empty();
          }
        });
  }

  private static Session session(ResultSet row) throws SQLException {
    return new Session(
        row.getString("key_id"),
        row.getString("name"),
        List.of(row.getString("roles").split(SEPARATOR, -1)),
        Objects.requireNonNull(new PostgresColumnReader().instant(row, "expires_at")),
        row.getBoolean("recently_used"));
  }

  @Override
  public void recordUse(String hash, Duration idleTimeout) {
    executor.runIdempotent(
        "record use of session",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = timed(connection, "session.record_use")) {
            return statement.text("hash", hash).number("idle_ms", idleTimeout.toMillis()).update();
          }
        });
  }

  @Override
  public void delete(String hash) {
    executor.runIdempotent(
        "delete session",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement =
              executor.statement(connection, "session.delete")) {
            return statement.text("hash", hash).update();
          }
        });
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.access.SessionStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Sessions in {@code perdure_session}. */
record SqliteSessionStore(SqliteStore store) implements SessionStore {

  private static final String SEPARATOR = ",";

  @Override
  public void add(NewSession added, int maxPerKey) {
    store.write(
        (session, now) -> {
          session
              .statement("session.add")
              .number("now", now)
              .text("hash", added.hash())
              .text("key_id", added.keyId())
              .number("idle_ms", added.idleTimeout().toMillis())
              .number("max_ms", added.maxLifetime().toMillis())
              .update();
          return session
              .statement("session.trim")
              .number("now", now)
              .text("key_id", added.keyId())
              .number("max_sessions", maxPerKey)
              .update();
        });
  }

  @Override
  public Optional<Session> find(String hash) {
    return store.read(
        (session, now) ->
            session
                .statement("session.find")
                .number("now", now)
                .text("hash", hash)
                .one(SqliteSessionStore::session));
  }

  private static Session session(ResultSet row) throws SQLException {
    return new Session(
        row.getString("key_id"),
        row.getString("name"),
        List.of(row.getString("roles").split(SEPARATOR, -1)),
        Instant.ofEpochMilli(row.getLong("expires_at")),
        row.getBoolean("recently_used"));
  }

  @Override
  public void recordUse(String hash, Duration idleTimeout) {
    store.write(
        (session, now) ->
            session
                .statement("session.record_use")
                .number("now", now)
                .text("hash", hash)
                .number("idle_ms", idleTimeout.toMillis())
                .update());
  }

  @Override
  public void delete(String hash) {
    store.write((session, now) -> session.statement("session.delete").text("hash", hash).update());
  }
}

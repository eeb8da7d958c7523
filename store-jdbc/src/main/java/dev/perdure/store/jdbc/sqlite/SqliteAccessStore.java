// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.access.AccessStore;
import dev.perdure.store.jdbc.access.ApiKeyStore;
import dev.perdure.store.jdbc.access.AuditStore;
import dev.perdure.store.jdbc.access.SecretStore;
import dev.perdure.store.jdbc.access.SessionStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** API keys, sessions, audit entries and secrets in the SQLite file. */
record SqliteAccessStore(SqliteStore store) implements AccessStore {

  @Override
  public ApiKeyStore apiKeys() {
    return new SqliteApiKeyStore(store);
  }

  @Override
  public SessionStore sessions() {
    return new SqliteSessionStore(store);
  }

  @Override
  public AuditStore audit() {
    return new SqliteAuditStore(store);
  }

  @Override
  public SecretStore secrets() {
    return new SqliteSecretStore(store);
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() ? null : Instant.ofEpochMilli(millis);
  }

  private record SqliteApiKeyStore(SqliteStore store) implements ApiKeyStore {

    private static final String SEPARATOR = ",";

    @Override
    public boolean exists() {
      return store.read(
          (session, now) ->
              session
                  .statement("api_key.exists")
                  .one(row -> row.getBoolean("found"))
                  .orElseThrow());
    }

    @Override
    public void add(NewApiKey key) {
      store.write(
          (session, now) ->
              session
                  .statement("api_key.add")
                  .text("id", key.id())
                  .text("name", key.name())
                  .text("roles", String.join(SEPARATOR, key.roles()))
                  .text("hash", key.hash())
                  .number("now", now)
                  .number("validity_ms", SqliteValues.millis(key.validity()))
                  .update());
    }

    @Override
    public Optional<ApiKey> find(String id) {
      return store.read(
          (session, now) ->
              session
                  .statement("api_key.find")
                  .number("now", now)
                  .text("id", id)
                  .one(SqliteApiKeyStore::key));
    }

    @Override
    public List<ApiKey> list(int limit) {
      return store.read(
          (session, now) ->
              session
                  .statement("api_key.list")
                  .number("now", now)
                  .number("limit", limit)
                  .list(SqliteApiKeyStore::key));
    }

    private static ApiKey key(ResultSet row) throws SQLException {
      return new ApiKey(
          row.getString("id"),
          row.getString("name"),
          List.of(row.getString("roles").split(SEPARATOR, -1)),
          row.getString("hash"),
          Instant.ofEpochMilli(row.getLong("created_at")),
          instant(row, "expires_at"),
          instant(row, "used_at"),
          instant(row, "revoked_at"),
          row.getBoolean("active"),
          row.getBoolean("recently_used"));
    }

    @Override
    public void recordUse(String id) {
      store.write(
          (session, now) ->
              session.statement("api_key.record_use").number("now", now).text("id", id).update());
    }

    @Override
    public boolean revoke(String id) {
      return store.write(
          (session, now) ->
              session.statement("api_key.revoke").number("now", now).text("id", id).update() == 1);
    }
  }

  private record SqliteAuditStore(SqliteStore store) implements AuditStore {

    @Override
    public void append(UUID id, NewAuditEntry entry, Duration age, int maxEntries) {
      store.write(
          (session, now) -> {
            session
                .statement("audit.append")
                .id("id", id)
                .number("occurred_at", now - age.toMillis())
                .text("who", entry.who())
                .text("key_id", entry.key())
                .text("action", entry.action())
                .text("subject", entry.subject())
                .text("detail", entry.detail())
                .update();
            return session.statement("audit.trim").number("max_entries", maxEntries).update();
          });
    }

    @Override
    public List<StoredAuditEntry> list(long before, @Nullable String subject, int limit) {
      return store.read(
          (session, now) ->
              session
                  .statement("audit.list")
                  .number("before", before)
                  .text("subject", subject)
                  .number("limit", limit)
                  .list(SqliteAuditStore::entry));
    }

    private static StoredAuditEntry entry(ResultSet row) throws SQLException {
      return new StoredAuditEntry(
          row.getLong("number"),
          Instant.ofEpochMilli(row.getLong("occurred_at")),
          new NewAuditEntry(
              row.getString("who"),
              row.getString("key_id"),
              row.getString("action"),
              row.getString("subject"),
              row.getString("detail")));
    }
  }

  private record SqliteSecretStore(SqliteStore store) implements SecretStore {

    @Override
    public void add(String purpose, Secret secret) {
      store.write(
          (session, now) ->
              session
                  .statement("secret.add")
                  .number("now", now)
                  .text("purpose", purpose)
                  .number("number", secret.number())
                  .text("secret", secret.text())
                  .update());
    }

    @Override
    public List<Secret> list(String purpose, int limit) {
      return store.read(
          (session, now) ->
              session
                  .statement("secret.list")
                  .text("purpose", purpose)
                  .number("limit", limit)
                  .list(row -> new Secret(row.getInt("number"), row.getString("secret"))));
    }
  }
}

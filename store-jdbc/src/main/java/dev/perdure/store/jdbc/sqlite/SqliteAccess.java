// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.access.Access;
import dev.perdure.store.jdbc.access.AuditTrail;
import dev.perdure.store.jdbc.access.KeyBook;
import dev.perdure.store.jdbc.access.SecretBook;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Keys, secrets and deeds in the file. */
record SqliteAccess(SqliteStore store) implements Access {

  @Override
  public KeyBook keys() {
    return new Keys(store);
  }

  @Override
  public AuditTrail audit() {
    return new Audit(store);
  }

  @Override
  public SecretBook secrets() {
    return new Secrets(store);
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() ? null : Instant.ofEpochMilli(millis);
  }

  private record Keys(SqliteStore store) implements KeyBook {

    private static final String SEPARATOR = ",";

    @Override
    public boolean any() {
      return store.read(
          (session, now) ->
              session.sql("key.any").row(row -> row.getBoolean("found")).orElseThrow());
    }

    @Override
    public void add(NewKey key) {
      store.write(
          (session, now) ->
              session
                  .sql("key.add")
                  .text("id", key.id())
                  .text("name", key.name())
                  .text("roles", String.join(SEPARATOR, key.roles()))
                  .text("hash", key.hash())
                  .number("now", now)
                  .number("validity_ms", Values.millis(key.validity()))
                  .update());
    }

    @Override
    public Optional<Key> find(String id) {
      return store.read(
          (session, now) ->
              session.sql("key.find").number("now", now).text("id", id).row(Keys::key));
    }

    @Override
    public List<Key> list(int limit) {
      return store.read(
          (session, now) ->
              session.sql("key.list").number("now", now).number("limit", limit).rows(Keys::key));
    }

    private static Key key(ResultSet row) throws SQLException {
      return new Key(
          row.getString("id"),
          row.getString("name"),
          List.of(row.getString("roles").split(SEPARATOR, -1)),
          row.getString("hash"),
          Instant.ofEpochMilli(row.getLong("created_at")),
          instant(row, "expires_at"),
          instant(row, "used_at"),
          instant(row, "revoked_at"),
          row.getBoolean("live"),
          row.getBoolean("used_lately"));
    }

    @Override
    public void use(String id) {
      store.write(
          (session, now) -> session.sql("key.use").number("now", now).text("id", id).update());
    }

    @Override
    public boolean revoke(String id) {
      return store.write(
          (session, now) ->
              session.sql("key.revoke").number("now", now).text("id", id).update() == 1);
    }
  }

  private record Audit(SqliteStore store) implements AuditTrail {

    @Override
    public void append(UUID id, Deed deed, Duration age, int kept) {
      store.write(
          (session, now) -> {
            session
                .sql("audit.append")
                .id("id", id)
                .number("at", now - age.toMillis())
                .text("who", deed.who())
                .text("key_id", deed.key())
                .text("action", deed.action())
                .text("subject", deed.subject())
                .text("detail", deed.detail())
                .update();
            return session.sql("audit.trim").number("kept", kept).update();
          });
    }

    @Override
    public List<Entry> list(long before, @Nullable String subject, int limit) {
      return store.read(
          (session, now) ->
              session
                  .sql("audit.list")
                  .number("before", before)
                  .text("subject", subject)
                  .number("limit", limit)
                  .rows(Audit::entry));
    }

    private static Entry entry(ResultSet row) throws SQLException {
      return new Entry(
          row.getLong("number"),
          Instant.ofEpochMilli(row.getLong("at")),
          new Deed(
              row.getString("who"),
              row.getString("key_id"),
              row.getString("action"),
              row.getString("subject"),
              row.getString("detail")));
    }
  }

  private record Secrets(SqliteStore store) implements SecretBook {

    @Override
    public void add(String purpose, Secret secret) {
      store.write(
          (session, now) ->
              session
                  .sql("secret.add")
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
                  .sql("secret.list")
                  .text("purpose", purpose)
                  .number("limit", limit)
                  .rows(row -> new Secret(row.getInt("number"), row.getString("secret"))));
    }
  }
}

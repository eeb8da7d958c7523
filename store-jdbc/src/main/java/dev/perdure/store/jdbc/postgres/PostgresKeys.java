// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.jdbc.access.KeyBook;
import dev.perdure.store.jdbc.sql.Call;
import dev.perdure.store.jdbc.sql.Lengths;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The rows of the keys. */
record PostgresKeys(Session session) implements KeyBook {

  private static final String SEPARATOR = ",";

  @Override
  public boolean any() {
    return session.repeatedly(
        "any key",
        (connection, unsure) -> {
          try (Call call = session.call(connection, "key.any")) {
            ResultSet row = call.query();
            return row.next() && row.getBoolean("found");
          }
        });
  }

  @Override
  public void add(NewKey key) {
    session.repeatedly(
        "add key",
        (connection, unsure) -> {
          try (Call call = session.call(connection, "key.add")) {
            Params.instant(call, "now", session.settings().now());
            return call.text("id", key.id())
                .text("name", Params.text(key.name()))
                .text("roles", String.join(SEPARATOR, key.roles()))
                .text("hash", key.hash())
                .number("validity_ms", Lengths.millisOrNull(key.validity()))
                .update();
          }
        });
  }

  @Override
  public Optional<Key> find(String id) {
    return session.repeatedly(
        "find key",
        (connection, unsure) -> {
          try (Call call = session.call(connection, "key.find")) {
            Params.instant(call, "now", session.settings().now());
            ResultSet row = call.text("id", id).query();
            return row.next() ? Optional.of(key(row)) : Optional.empty();
          }
        });
  }

  @Override
  public List<Key> list(int limit) {
    return session.repeatedly(
        "list keys",
        (connection, unsure) -> {
          List<Key> keys = new ArrayList<>();
          try (Call call = session.call(connection, "key.list")) {
            Params.instant(call, "now", session.settings().now());
            ResultSet rows = call.count("limit", limit).query();
            while (rows.next()) {
              keys.add(key(rows));
            }
          }
          return keys;
        });
  }

  private static Key key(ResultSet row) throws SQLException {
    PostgresColumns columns = new PostgresColumns();
    return new Key(
        row.getString("id"),
        row.getString("name"),
        List.of(row.getString("roles").split(SEPARATOR, -1)),
        row.getString("hash"),
        Objects.requireNonNull(columns.instant(row, "created_at")),
        columns.instant(row, "expires_at"),
        columns.instant(row, "used_at"),
        columns.instant(row, "revoked_at"),
        row.getBoolean("live"),
        row.getBoolean("used_lately"));
  }

  @Override
  public void use(String id) {
    write("key.use", id);
  }

  @Override
  public boolean revoke(String id) {
    return write("key.revoke", id) == 1;
  }

  private int write(String statement, String id) {
    return session.repeatedly(
        statement,
        (connection, unsure) -> {
          try (Call call = session.call(connection, statement)) {
            Params.instant(call, "now", session.settings().now());
            return call.text("id", id).update();
          }
        });
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.jdbc.access.SecretBook;
import dev.perdure.store.jdbc.sql.Call;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;

/** The rows of the secrets. */
record PostgresSecrets(Session session) implements SecretBook {

  @Override
  public void add(String purpose, Secret secret) {
    session.repeatedly(
        "add secret",
        (connection, unsure) -> {
          try (Call call = session.call(connection, "secret.add")) {
            Params.instant(call, "now", session.settings().now());
            return call.text("purpose", purpose)
                .count("number", secret.number())
                .text("secret", secret.text())
                .update();
          }
        });
  }

  @Override
  public List<Secret> list(String purpose, int limit) {
    return session.repeatedly(
        "list secrets",
        (connection, unsure) -> {
          List<Secret> secrets = new ArrayList<>();
          try (Call call = session.call(connection, "secret.list")) {
            ResultSet rows = call.text("purpose", purpose).count("limit", limit).query();
            while (rows.next()) {
              secrets.add(new Secret(rows.getInt("number"), rows.getString("secret")));
            }
          }
          return secrets;
        });
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.jdbc.access.SecretStore;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;

/** Secrets in {@code perdure_secret}. */
record PostgresSecretStore(PostgresExecutor executor) implements SecretStore {

  @Override
  public void add(String purpose, Secret secret) {
    executor.runIdempotent(
        "add secret",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = executor.statement(connection, "secret.add")) {
            PostgresParameters.instant(statement, "now", executor.settings().now());
            return statement
                .text("purpose", purpose)
                .integer("number", secret.number())
                .text("secret", secret.text())
                .update();
          }
        });
  }

  @Override
  public List<Secret> list(String purpose, int limit) {
    return executor.runIdempotent(
        "list secrets",
        (connection, mayHaveCommitted) -> {
          List<Secret> secrets = new ArrayList<>();
          try (NamedParameterStatement statement = executor.statement(connection, "secret.list")) {
            ResultSet rows = statement.text("purpose", purpose).integer("limit", limit).query();
            while (rows.next()) {
              secrets.add(new Secret(rows.getInt("number"), rows.getString("secret")));
            }
          }
          return secrets;
        });
  }
}

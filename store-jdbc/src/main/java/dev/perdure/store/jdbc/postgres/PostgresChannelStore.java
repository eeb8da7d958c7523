// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static java.util.Objects.requireNonNull;

import dev.perdure.store.jdbc.access.ChannelStore;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.ResultSet;

/** The use of channels in {@code perdure_channel}. */
record PostgresChannelStore(PostgresExecutor executor) implements ChannelStore {

  @Override
  public ChannelUsage find(String channel) {
    return executor.runIdempotent(
        "find channel",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = executor.statement(connection, "channel.find")) {
            PostgresParameters.instant(statement, "now", executor.settings().now());
            ResultSet row = statement.text("name", channel).query();
            row.next();
            return new ChannelUsage(
                row.getLong("version"),
                row.getString("usage"),
                requireNonNull(new PostgresColumnReader().instant(row, "now")));
          }
        });
  }

  /** When it is repeated after a lost answer, it returns false, and the caller reads again. */
  @Override
  public boolean write(String channel, long version, String usage) {
    return executor.runIdempotent(
        "write channel",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement =
              executor.statement(connection, "channel.write")) {
            PostgresParameters.instant(statement, "now", executor.settings().now());
            return statement
                    .text("name", channel)
                    .number("version", version)
                    .text("usage", usage)
                    .update()
                == 1;
          }
        });
  }
}

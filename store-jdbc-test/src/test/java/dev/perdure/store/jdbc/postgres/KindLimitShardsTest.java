// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.task.KindLimit.Source;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.StoreException;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.sql.StoreSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Limits of a kind that could be written to some shards only. */
final class KindLimitShardsTest {

  private final ReusableDatabase database = ReusableDatabase.borrow();
  private final JdbcStore store =
      PostgresStore.openMigrated(
          database.dataSource(),
          new StoreSettings(
              2, InstantSource.system(), 6, Duration.ofSeconds(30), Duration.ofSeconds(5)));

  @AfterEach
  void close() throws SQLException {
    execute("ALTER TABLE perdure_kind_limit DROP CONSTRAINT IF EXISTS breaks_shard_1");
    store.close();
    database.close();
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Who repeats it looks first at what is there, and would believe that all is done. */
  @Test
  void do_not_look_as_if_they_were_set() throws SQLException {
    execute("ALTER TABLE perdure_kind_limit ADD CONSTRAINT breaks_shard_1 CHECK (shard <> 1)");

    assertThatThrownBy(
            () -> store.limits().setKind("a", List.of(Limit.concurrency(1)), Source.OPERATOR))
        .isInstanceOf(StoreException.class);

    assertThat(store.limits().ofKinds()).isEmpty();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.sql.StoreSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Counts the blocks of our tables and indexes that an operation reads. A connection reports what it
 * read some time later, on a busy machine even after it has ended. So this class makes every
 * connection report before the next step.
 */
final class BlockCounter {

  private static final String REPORT = "SELECT pg_stat_force_next_flush()";

  private final PostgresScenario scenario;

  BlockCounter(PostgresScenario scenario) {
    this.scenario = scenario;
  }

  /** Runs statements outside any store. */
  void execute(String... statements) throws SQLException {
    try (Connection connection = scenario.database.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
      statement.execute(REPORT);
    }
  }

  /** Runs the work with a new store on new connections. */
  void use(Consumer<JdbcStore> work) throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setDataSource(scenario.dataSource());
    config.setMaximumPoolSize(4);
    config.setMinimumIdle(1);
    StoreSettings settings =
        new StoreSettings(1, scenario.clock, 1, Duration.ofSeconds(60), Duration.ofSeconds(5));
    try (HikariDataSource pool = new HikariDataSource(config)) {
      try (JdbcStore store = PostgresStore.openMigrated(pool, settings)) {
        work.accept(store);
      }
      report(pool);
    }
  }

  private static void report(HikariDataSource pool) throws SQLException {
    List<Connection> all = new ArrayList<>();
    try {
      for (int i = pool.getHikariPoolMXBean().getTotalConnections(); i > 0; i--) {
        Connection connection = pool.getConnection();
        all.add(connection);
        try (Statement statement = connection.createStatement()) {
          statement.execute(REPORT);
        }
      }
    } finally {
      for (Connection connection : all) {
        connection.close();
      }
    }
  }

  /**
   * Returns the number of blocks that the work reads.
   *
   * @param tables a regular expression for the table names, without the prefix
   */
  long blocks(String tables, Consumer<JdbcStore> work) throws SQLException {
    execute("VACUUM ANALYZE");
    return blocksWithoutVacuum(tables, work);
  }

  /** The same for tables that have not changed since they were vacuumed. */
  long blocksWithoutVacuum(String tables, Consumer<JdbcStore> work) throws SQLException {
    long before = total(tables);
    use(work);
    return total(tables) - before;
  }

  private long total(String tables) throws SQLException {
    try (Connection connection = scenario.database.connect()) {
      return PostgresScenario.number(
          connection,
          """
          SELECT sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)
          FROM pg_statio_user_tables WHERE relname ~ '^perdure_(%s)$'
          """
              .formatted(tables));
    }
  }
}

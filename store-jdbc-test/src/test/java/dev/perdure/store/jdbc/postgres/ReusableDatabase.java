// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A migrated database with open connections that tests use one after the other. Emptying it takes a
 * few milliseconds; creating a database with its migration check and first connections takes about
 * 200. A database that a test leaves in use is dropped, so no test sees another test's work.
 */
final class ReusableDatabase implements AutoCloseable {

  private static final ConcurrentLinkedQueue<ReusableDatabase> IDLE = new ConcurrentLinkedQueue<>();

  /** Enough for two stores, each of which would have two pools of six. */
  private static final int CONNECTIONS = 24;

  /** The tables are never vacuumed, so they are truncated after this many deleted rows. */
  private static final int MAX_DELETED_ROWS = 2_000;

  private static final List<String> TABLES =
      List.of(
          "perdure_batch",
          "perdure_submission_key",
          "perdure_task",
          "perdure_task_state",
          "perdure_attempt",
          "perdure_node",
          "perdure_api_key",
          "perdure_session",
          "perdure_rollup",
          "perdure_audit",
          "perdure_secret",
          "perdure_delivery",
          "perdure_dependency",
          "perdure_propagation_event",
          "perdure_run",
          "perdure_limit",
          "perdure_limit_event",
          "perdure_kind_limit",
          "perdure_schedule",
          "perdure_firing");

  private final TestPostgres database = new TestPostgres();
  private final HikariDataSource pool;
  private long deletedRows;

  private ReusableDatabase() {
    PGSimpleDataSource direct = new PGSimpleDataSource();
    direct.setUrl(database.url().replace("postgres://postgres@", "jdbc:postgresql://"));
    direct.setUser("postgres");
    HikariConfig config = new HikariConfig();
    config.setDataSource(direct);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(Duration.ofSeconds(30).toMillis());
    pool = new HikariDataSource(config);
  }

  /** Returns an empty database that no other test uses. */
  static ReusableDatabase borrow() {
    ReusableDatabase idle = IDLE.poll();
    return idle == null ? new ReusableDatabase() : idle;
  }

  DataSource dataSource() {
    return pool;
  }

  String url() {
    return database.url();
  }

  /** Opens a connection outside the pool. */
  Connection connect() throws SQLException {
    return database.connect();
  }

  /** Empties the database for the next test. */
  @Override
  public void close() {
    if (isUnused() && wasEmptied()) {
      IDLE.add(this);
    } else {
      pool.close();
      database.close();
    }
  }

  private boolean isUnused() {
    return pool.getHikariPoolMXBean().getActiveConnections() == 0;
  }

  private boolean wasEmptied() {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      if (hasOtherActiveSessions(statement)) {
        return false;
      }
      statement.execute("DELETE FROM " + String.join("; DELETE FROM ", TABLES));
      do {
        deletedRows += statement.getLargeUpdateCount();
      } while (statement.getMoreResults() || statement.getLargeUpdateCount() >= 0);
      if (deletedRows > MAX_DELETED_ROWS) {
        statement.execute("TRUNCATE " + String.join(", ", TABLES));
        deletedRows = 0;
      }
      return true;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns true if another session is in a transaction, which may still write or hold a lock. */
  private static boolean hasOtherActiveSessions(Statement statement) throws SQLException {
    try (ResultSet rows =
        statement.executeQuery(
            """
            SELECT count(*)
            FROM pg_stat_activity
            WHERE datname = current_database()
              AND pid <> pg_backend_pid()
              AND backend_type = 'client backend'
              AND state <> 'idle'
            """)) {
      rows.next();
      return rows.getInt(1) > 0;
    }
  }
}

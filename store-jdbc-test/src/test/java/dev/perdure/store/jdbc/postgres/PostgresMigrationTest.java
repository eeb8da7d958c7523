// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.perdure.engine.task.StoreException;
import dev.perdure.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening a store creates the tables once, and their constraints reject impossible rows. */
final class PostgresMigrationTest {

  private final TestPostgres database = TestPostgres.empty();

  @AfterEach
  void close() {
    database.close();
  }

  @RepeatedTest(8)
  void many_processes_can_migrate_at_once() throws Exception {
    List<Future<JdbcStore>> opened = new ArrayList<>();
    try (ExecutorService nodes = Executors.newFixedThreadPool(6)) {
      for (int i = 0; i < 6; i++) {
        opened.add(nodes.submit(() -> JdbcStore.builder().url(database.url()).poolSize(1).open()));
      }
    }
    for (Future<JdbcStore> store : opened) {
      store.get().nodes().alive();
      store.get().close();
    }
    try (Connection connection = database.connect()) {
      assertThat(
              PostgresScenario.number(
                  connection, "SELECT count(*) FROM perdure_schema WHERE version = '1'"))
          .isEqualTo(1);
    }
  }

  @Test
  void an_application_can_have_its_own_tables_in_the_database() throws Exception {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String name : List.of("task", "task_state", "batch", "attempt", "node", "orders")) {
        statement.execute("CREATE TABLE " + name + " (id int)");
      }
    }
    try (JdbcStore store = JdbcStore.open(database.url())) {
      assertThat(store.nodes().alive()).isEmpty();
    }
  }

  /** The application's pool must not get a connection with an aborted transaction back. */
  @Test
  void ends_its_transaction_when_it_cannot_get_the_lock() throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url().replace("postgres://postgres@", "jdbc:postgresql://"));
    config.setUsername("postgres");
    config.setMaximumPoolSize(1);
    config.setConnectionInitSql("SET lock_timeout = '100ms'");
    try (HikariDataSource pool = new HikariDataSource(config);
        Connection other = database.begin();
        Statement lock = other.createStatement()) {
      lock.execute("SELECT pg_advisory_xact_lock(x'70657264757265'::bigint)");

      assertThatThrownBy(() -> JdbcStore.open(pool)).isInstanceOf(StoreException.class);

      other.rollback();
      try (JdbcStore store = JdbcStore.open(pool)) {
        assertThat(store.nodes().alive()).isEmpty();
      }
    }
  }

  /** So that a process can restart with the version before while others are updated. */
  @Test
  void opens_tables_of_a_newer_version() throws SQLException {
    JdbcStore.open(database.url()).close();
    execute("INSERT INTO perdure_schema SELECT 11, 'later', 1, now()");

    try (JdbcStore store = JdbcStore.open(database.url())) {
      assertThat(store.nodes().alive()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE perdure_schema SET checksum = 1 WHERE version = 1",
        "DELETE FROM perdure_schema WHERE version = 1",
        "INSERT INTO perdure_schema SELECT 99, 'later', 1, now()",
        // An earlier snapshot had these columns.
        "DROP TABLE perdure_schema; CREATE TABLE perdure_schema (version text, checksum int);"
            + " INSERT INTO perdure_schema VALUES ('1', -7)",
      })
  void refuses_tables_of_another_version(String change) throws Exception {
    JdbcStore.open(database.url()).close();
    execute(change);

    assertThatThrownBy(() -> JdbcStore.open(database.url()))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.unavailable()).isFalse())
        .hasMessageContaining("created by another version of Perdure");
  }

  @Test
  void a_failed_migration_leaves_nothing_behind() throws Exception {
    execute("CREATE TABLE perdure_delivery (id int)");
    assertThatThrownBy(() -> JdbcStore.open(database.url()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("perdure_delivery");
    execute("DROP TABLE perdure_delivery");
    assertThat(JdbcStore.migrate(database.url())).isEqualTo(10);
    assertThat(JdbcStore.migrate(database.url())).isZero();
  }

  @Test
  void a_user_without_the_right_to_create_tables_can_open_migrated_ones() throws Exception {
    JdbcStore.migrate(database.url());
    // Roles belong to the whole server, which other tests use too.
    String worker = "worker_of_" + database.name();
    execute("CREATE ROLE " + worker + " LOGIN");
    try {
      execute(
          """
          REVOKE CREATE ON SCHEMA public FROM PUBLIC;
          GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO %s
          """
              .formatted(worker));
      try (JdbcStore store = JdbcStore.open(database.url().replace("postgres@", worker + "@"))) {
        assertThat(store.nodes().alive()).isEmpty();
      }
    } finally {
      execute("DROP OWNED BY %s; DROP ROLE %s".formatted(worker, worker));
    }
  }

  @Test
  void every_schema_has_its_own_tables() throws Exception {
    JdbcStore.migrate(database.url());
    execute("CREATE SCHEMA mine");
    assertThat(JdbcStore.migrate(database.url() + "?currentSchema=mine,public")).isEqualTo(10);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "state = 'running', started_at = now()",
        "state = 'claimed'",
        "state = 'success'",
        "state = 'failure', ended_at = now()",
        "ended_at = now()",
        "owner = 'w'",
        "lease_until = now()",
        "give_up_reason = 'lost'",
        "state = 'sleeping'",
        "priority = 1001",
        "claim_at = due_at - INTERVAL '1 second'",
        "retry_base = 1",
        "epoch = -1"
      })
  void an_impossible_row_is_refused(String change) throws SQLException {
    JdbcStore store = JdbcStore.open(database.url());
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      store.submit(PostgresScenario.submission(1));
      assertThatThrownBy(() -> statement.execute("UPDATE perdure_task_state SET " + change))
          .isInstanceOf(SQLException.class)
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("23514");
      assertThat(statement.executeUpdate("UPDATE perdure_task_state SET success = 1")).isEqualTo(1);
    } finally {
      store.close();
    }
  }
}

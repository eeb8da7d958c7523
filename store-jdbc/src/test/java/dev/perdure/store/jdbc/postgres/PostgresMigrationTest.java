// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

  @Test
  void refuses_tables_of_another_version() throws Exception {
    JdbcStore.open(database.url()).close();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE perdure_schema SET checksum = 1 WHERE version = '1'");
    }

    assertThatThrownBy(() -> JdbcStore.open(database.url()))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.unavailable()).isFalse())
        .hasMessageContaining("created by another version of Perdure");
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

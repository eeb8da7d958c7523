// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.task.StoreException;
import dev.perdure.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SqliteMigrationTest {

  @TempDir Path folder;
  private String url;

  @BeforeEach
  void choose_file() {
    url = "sqlite:" + folder.resolve("tasks.db");
  }

  @Test
  void of_many_that_start_at_once_one_migrates() throws Exception {
    List<Future<Integer>> starts = new ArrayList<>();
    try (ExecutorService nodes = Executors.newFixedThreadPool(6)) {
      for (int i = 0; i < 6; i++) {
        starts.add(nodes.submit(() -> JdbcStore.migrate(url)));
      }
    }
    List<Integer> applied = new ArrayList<>();
    for (Future<Integer> start : starts) {
      applied.add(start.get());
    }
    assertThat(applied).containsExactlyInAnyOrder(10, 0, 0, 0, 0, 0);
  }

  /** So that a process can restart with the version before while others are updated. */
  @Test
  void opens_tables_of_a_newer_version() throws SQLException {
    JdbcStore.migrate(url);
    execute("INSERT INTO perdure_schema SELECT 11, 'later', 1, 0");

    try (JdbcStore store = JdbcStore.open(url)) {
      assertThat(store.nodes().alive()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE perdure_schema SET checksum = 1 WHERE version = 1",
        "DELETE FROM perdure_schema WHERE version = 1",
        "INSERT INTO perdure_schema SELECT 99, 'later', 1, 0",
      })
  void refuses_tables_of_another_version(String change) throws SQLException {
    JdbcStore.migrate(url);
    execute(change);

    assertThatThrownBy(() -> JdbcStore.open(url))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.unavailable()).isFalse())
        .hasMessageContaining("tasks.db: the tables were created by another version of Perdure");
  }

  @Test
  void a_failed_migration_leaves_nothing_behind() throws SQLException {
    execute("CREATE TABLE perdure_delivery (id INTEGER)");
    assertThatThrownBy(() -> JdbcStore.open(url))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("perdure_delivery");
    execute("DROP TABLE perdure_delivery");
    assertThat(JdbcStore.migrate(url)).isEqualTo(10);
  }

  @Test
  void an_up_to_date_file_is_opened_while_another_process_writes() throws SQLException {
    JdbcStore.migrate(url);
    try (Connection writer = SqliteFile.of(url).connectForWriting();
        Statement statement = writer.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      assertThat(JdbcStore.migrate(url)).isZero();
      statement.execute("ROLLBACK");
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = SqliteFile.of(url).connectForWriting();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SqliteFileTest {

  @TempDir Path folder;

  @Test
  void a_file_name_is_relative_to_the_working_directory() {
    assertThat(SqliteFile.of("sqlite:perdure.db").path())
        .isEqualTo(Path.of("").toAbsolutePath().resolve("perdure.db"));
  }

  @Test
  void a_path_can_be_absolute_and_have_the_jdbc_prefix() throws IOException {
    Path file = folder.toRealPath().resolve("tasks.db");
    assertThat(SqliteFile.of("sqlite:" + file).path()).isEqualTo(file);
    assertThat(SqliteFile.of("jdbc:sqlite:" + file).path()).isEqualTo(file);
  }

  @Test
  void two_paths_to_one_file_are_the_same_file() throws IOException {
    Path file = Files.createFile(folder.resolve("tasks.db"));
    Path link = Files.createSymbolicLink(folder.resolve("link.db"), file);
    assertThat(SqliteFile.of(link).path()).isEqualTo(SqliteFile.of(file).path());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sqlite::memory:",
        "sqlite:",
        "sqlite:file:tasks?mode=memory",
        "sqlite:tasks.db?journal_mode=OFF"
      })
  void refuses_urls_without_a_persistent_file(String url) {
    assertThatThrownBy(() -> SqliteFile.of(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sqlite:perdure.db");
  }

  @Test
  void reports_a_missing_directory() {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> SqliteFile.of(missing.resolve("tasks.db")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(missing.toString())
        .hasMessageContaining("create it");
  }

  @Test
  void refuses_a_directory() {
    assertThatThrownBy(() -> SqliteFile.of(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name a file in it");
  }

  @ParameterizedTest
  @CsvSource({"journal_mode, wal", "synchronous, 2", "fullfsync, 1"})
  void the_writer_syncs_every_commit(String pragma, String value) throws SQLException {
    SqliteFile file = SqliteFile.of(folder.resolve("tasks.db"));
    try (Connection connection = file.connectForWriting();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA " + pragma)) {
      assertThat(row.getString(1)).isEqualTo(value);
    }
  }

  @Test
  void a_reader_cannot_write() throws SQLException {
    SqliteFile file = SqliteFile.of(folder.resolve("tasks.db"));
    file.connectForWriting().close();
    try (Connection connection = file.connectForReading();
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute("CREATE TABLE t (x)"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("READONLY");
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.store.jdbc.JdbcStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One file in a folder of its own. */
public record SqliteDatabase(Path folder) implements BenchDatabase {

  private static final String NAME = "bench.db";
  private static final Path COUNTERS = Path.of("/proc/self/io");

  /** An empty file with our tables. */
  public static SqliteDatabase create() {
    SqliteDatabase made = new SqliteDatabase(newFolder());
    JdbcStore.open(made.url()).close();
    return made;
  }

  /** A copy of this one, which nobody may be writing to. */
  SqliteDatabase copy() {
    SqliteDatabase made = new SqliteDatabase(newFolder());
    try {
      Files.copy(folder.resolve(NAME), made.folder().resolve(NAME));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return made;
  }

  private static Path newFolder() {
    try {
      return Files.createTempDirectory("perdure-bench");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String url() {
    return "sqlite:" + folder.resolve(NAME);
  }

  @Override
  public String jdbcUrl() {
    return "jdbc:" + url();
  }

  @Override
  public Connection connect() throws SQLException {
    Connection connection = DriverManager.getConnection(jdbcUrl());
    try (Statement statement = connection.createStatement()) {
      for (String pragma : pragmas()) {
        statement.execute(pragma);
      }
    }
    return connection;
  }

  /** As the store sets them on its own writer. */
  public static List<String> pragmas() {
    return List.of(
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "PRAGMA fullfsync = ON",
        "PRAGMA cache_size = -65536",
        "PRAGMA wal_autocheckpoint = 4000",
        "PRAGMA temp_store = MEMORY",
        "PRAGMA busy_timeout = 10000");
  }

  @Override
  public void checkpoint() throws SQLException {
    execute("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  @Override
  public UsageMeter meter() {
    Map<String, Long> before = written();
    return tasks -> {
      Map<String, Long> after = written();
      return new DatabaseUsage(
          DatabaseUsage.UNKNOWN,
          difference(after, before, "syscw") / tasks,
          difference(after, before, "wchar") / tasks,
          List.of());
    };
  }

  private static double difference(
      Map<String, Long> after, Map<String, Long> before, String counter) {
    Long end = after.get(counter);
    Long begin = before.get(counter);
    return end == null || begin == null ? DatabaseUsage.UNKNOWN : end - begin;
  }

  /** What this process wrote, by the system's own count; nothing where there is none. */
  private static Map<String, Long> written() {
    Map<String, Long> counters = new HashMap<>();
    if (Files.isReadable(COUNTERS)) {
      try {
        for (String line : Files.readAllLines(COUNTERS)) {
          String[] parts = line.split(": ", 2);
          counters.put(parts[0], Long.parseLong(parts[1]));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return counters;
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

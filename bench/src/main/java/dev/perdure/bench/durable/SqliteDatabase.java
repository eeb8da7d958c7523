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

/** An SQLite file in its own directory. */
public record SqliteDatabase(Path folder) implements BenchDatabase {

  private static final String NAME = "bench.db";
  private static final Path COUNTERS = Path.of("/proc/self/io");

  /** Creates an empty file with Perdure's tables. */
  public static SqliteDatabase create() {
    SqliteDatabase database = new SqliteDatabase(newFolder());
    JdbcStore.open(database.url()).close();
    return database;
  }

  /** Copies the file. No connection may write to it meanwhile. */
  SqliteDatabase copy() {
    SqliteDatabase database = new SqliteDatabase(newFolder());
    try {
      Files.copy(folder.resolve(NAME), database.folder().resolve(NAME));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return database;
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

  /** The same settings as the store's writer connection. */
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
    Map<String, Long> before = ioCounters();
    return tasks -> {
      Map<String, Long> after = ioCounters();
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

  /** The I/O counters of this process; empty if the system has none. */
  private static Map<String, Long> ioCounters() {
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

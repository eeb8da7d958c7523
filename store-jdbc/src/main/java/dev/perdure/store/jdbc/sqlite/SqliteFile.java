// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.task.StoreException;
import dev.perdure.store.jdbc.sql.Migrations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.sqlite.SQLiteConfig;

/**
 * The path of an SQLite file and the settings of its connections.
 *
 * <p>Acknowledged writes survive a power failure: the log is synced at each commit, with a full
 * fsync on systems that distinguish it (macOS).
 */
final class SqliteFile {

  private static final String JDBC = "jdbc:";
  private static final String SCHEME = "sqlite:";

  /** How long to wait for the lock of another process that migrates or writes. */
  private static final Duration MIGRATION_TIMEOUT = Duration.ofSeconds(30);

  /** Short, so that a waiting connection checks the lock often. BusyRetry does the long wait. */
  private static final int BUSY_TIMEOUT_MS = 100;

  private static final int WRITER_CACHE_KB = 64 * 1024;
  private static final int READER_CACHE_KB = 8 * 1024;
  private static final int CHECKPOINT_PAGES = 4_000;
  private static final int WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;

  private final Path path;
  private final int maxPages;

  private SqliteFile(Path path, int maxPages) {
    this.path = path;
    this.maxPages = maxPages;
  }

  /** Parses {@code sqlite:perdure.db}, relative to the working directory, or an absolute path. */
  static SqliteFile of(String storeUrl) {
    String url = storeUrl.startsWith(JDBC) ? storeUrl.substring(JDBC.length()) : storeUrl;
    if (!url.startsWith(SCHEME)) {
      throw new IllegalArgumentException(
          "the URL of an SQLite store must start with sqlite:, not " + url);
    }
    String name = url.substring(SCHEME.length());
    if (name.isEmpty() || name.startsWith(":") || name.startsWith("file:") || name.contains("?")) {
      throw new IllegalArgumentException(
          url + " does not name a persistent file; use for example sqlite:perdure.db");
    }
    return of(pathOf(url, name));
  }

  static SqliteFile of(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    Path folder = absolute.getParent();
    if (folder == null || Files.isDirectory(absolute)) {
      throw new IllegalArgumentException(absolute + " is a directory; name a file in it");
    }
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "the directory " + folder + " does not exist; create it before you open the store");
    }
    try {
      // Resolves links, so that the same file always has the same path.
      Path real = folder.toRealPath().resolve(absolute.getFileName());
      return new SqliteFile(Files.exists(real) ? real.toRealPath() : real, 0);
    } catch (IOException e) {
      throw new StoreException(
          "cannot access " + absolute + ": " + e.getMessage(),
          e,
          StoreException.ErrorKind.UNAVAILABLE);
    }
  }

  /** Returns the file of a connection. */
  static SqliteFile of(Connection connection) throws SQLException {
    String url = connection.getMetaData().getURL();
    int options = url.indexOf('?');
    return of(options < 0 ? url : url.substring(0, options));
  }

  private static Path pathOf(String url, String name) {
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(url + " is not a path: " + e.getMessage(), e);
    }
  }

  /** Returns the same file with a maximum size in pages. */
  SqliteFile withMaxPages(int value) {
    return new SqliteFile(path, value);
  }

  Path path() {
    return path;
  }

  /** Migrates the tables, and returns the number of migrations that were applied. */
  int migrate() {
    try {
      return new BusyRetry(MIGRATION_TIMEOUT).run(this::migrateUnlessBusy);
    } catch (SQLException e) {
      throw new StoreException(
          path + ": cannot migrate the tables: " + e.getMessage(),
          e,
          StoreException.ErrorKind.UNAVAILABLE);
    } catch (StoreException e) {
      throw new StoreException(path + ": " + e.getMessage(), e, e.kind());
    }
  }

  private int migrateUnlessBusy() throws SQLException {
    try (Connection connection = connectForWriting()) {
      return Migrations.run(connection, "sqlite", List.of("schema.begin"));
    }
  }

  Connection connectForWriting() throws SQLException {
    Connection connection = writerConfig().createConnection(url());
    try (Statement statement = connection.createStatement()) {
      // The driver has no setting for this.
      statement.execute("PRAGMA fullfsync = ON");
    }
    return connection;
  }

  private SQLiteConfig writerConfig() {
    SQLiteConfig config = config(WRITER_CACHE_KB);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setWalAutocheckpoint(CHECKPOINT_PAGES);
    config.setJournalSizeLimit(WAL_SIZE_LIMIT_BYTES);
    if (maxPages > 0) {
      config.setMaxPageCount(maxPages);
    }
    return config;
  }

  WriteSession openForWriting() throws SQLException {
    return new WriteSession(connectForWriting());
  }

  Connection connectForReading() throws SQLException {
    SQLiteConfig config = config(READER_CACHE_KB);
    config.setReadOnly(true);
    return config.createConnection(url());
  }

  private static SQLiteConfig config(int cacheKb) {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setBusyTimeout(BUSY_TIMEOUT_MS);
    config.setCacheSize(-cacheKb);
    config.setTempStore(SQLiteConfig.TempStore.MEMORY);
    config.setGetGeneratedKeys(false);
    return config;
  }

  private String url() {
    return "jdbc:sqlite:" + path;
  }

  @Override
  public String toString() {
    return path.toString();
  }
}

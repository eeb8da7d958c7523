// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.task.StoreException;
import dev.perdure.store.jdbc.sql.Migrations;
import dev.perdure.store.jdbc.sql.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * Where the file is, and how it is opened.
 *
 * <p>What is acknowledged survives a loss of power: the log is synchronised at each commit, to the
 * platter where the system makes a difference (macOS).
 */
final class SqliteFile {

  private static final String JDBC = "jdbc:";
  private static final String SCHEME = "sqlite:";

  /** Short, so that one who waits for the lock looks often; the waiting goes on outside. */
  private static final int MAX_MIGRATION_ATTEMPTS = 5;

  private static final int BUSY_TIMEOUT_MS = 100;

  private static final int WRITER_CACHE_KB = 64 * 1024;
  private static final int READER_CACHE_KB = 8 * 1024;
  private static final int CHECKPOINT_PAGES = 4_000;
  private static final int WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;

  private final Path path;
  private final int maxPages;

  private SqliteFile(Path path, int mostPages) {
    this.path = path;
    this.maxPages = mostPages;
  }

  /** Reads {@code sqlite:perdure.db}, relative to the working directory, or an absolute path. */
  static SqliteFile of(String address) {
    String url = address.startsWith(JDBC) ? address.substring(JDBC.length()) : address;
    if (!url.startsWith(SCHEME)) {
      throw new IllegalArgumentException(
          "an SQLite store's address begins with sqlite:, not " + url);
    }
    String name = url.substring(SCHEME.length());
    if (name.isEmpty() || name.startsWith(":") || name.startsWith("file:") || name.contains("?")) {
      throw new IllegalArgumentException(
          url + " names no file that keeps its tasks; say for example sqlite:perdure.db");
    }
    return of(pathOf(url, name));
  }

  static SqliteFile of(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    Path folder = absolute.getParent();
    if (folder == null || Files.isDirectory(absolute)) {
      throw new IllegalArgumentException(absolute + " is a folder; name a file in it");
    }
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "the folder " + folder + " does not exist; create it before the store is opened");
    }
    try {
      // The same file has the same name, whatever way led to it.
      Path real = folder.toRealPath().resolve(absolute.getFileName());
      return new SqliteFile(Files.exists(real) ? real.toRealPath() : real, 0);
    } catch (IOException e) {
      throw new StoreException(
          "cannot look at " + absolute + ": " + e.getMessage(),
          e,
          StoreException.ErrorKind.UNAVAILABLE);
    }
  }

  /** The file that a connection is on. */
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

  /** The same file, which may not grow beyond so many pages. */
  SqliteFile withMaxPages(int value) {
    return new SqliteFile(path, value);
  }

  Path path() {
    return path;
  }

  /**
   * Brings the tables up to date. Whoever does the same at the same time may win; the second look
   * then finds it done.
   */
  void migrate(StoreSettings storeSettings) {
    SQLiteDataSource source = new SQLiteDataSource(writerConfig());
    source.setUrl(url());
    RuntimeException last = null;
    for (int look = 0; look < MAX_MIGRATION_ATTEMPTS; look++) {
      try {
        Migrations.run(source, "sqlite");
        return;
      } catch (RuntimeException e) {
        last = e;
      }
    }
    throw new StoreException(
        "the tables of " + path + " cannot be brought up to date",
        last,
        StoreException.ErrorKind.UNAVAILABLE);
  }

  Connection connectForWriting() throws SQLException {
    Connection connection = writerConfig().createConnection(url());
    try (Statement statement = connection.createStatement()) {
      // The driver knows no setting for it.
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

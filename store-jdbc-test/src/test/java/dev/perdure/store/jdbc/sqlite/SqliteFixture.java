// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.store.jdbc.sql.JdbcTransaction;
import dev.perdure.store.jdbc.sql.StoreSettings;
import dev.perdure.store.testkit.StoreFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Opens stores on one file in its own folder, and deletes the folder when it is closed. */
public final class SqliteFixture implements StoreFixture {

  private final Path folder;
  private final List<SqliteStore> opened = new ArrayList<>();
  private StoreSettings settings = settings(null, 1);

  public SqliteFixture() {
    try {
      folder = Files.createTempDirectory("perdure");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public TaskStore create(InstantSource clock, int shards) {
    settings = settings(clock, shards);
    Path file = file();
    try {
      Files.copy(Migrated.FILE, file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return opened(SqliteStore.openMigrated(SqliteFile.of(file), settings));
  }

  @Override
  public TaskStore reopen() {
    return opened(SqliteStore.open("sqlite:" + file(), settings));
  }

  private SqliteStore opened(SqliteStore store) {
    opened.add(store);
    return store;
  }

  private Path file() {
    return folder.resolve("tasks.db");
  }

  @Override
  public OpenTransaction begin() {
    String url = "jdbc:sqlite:" + file();
    return new JdbcTransaction(opened.getFirst(), () -> DriverManager.getConnection(url));
  }

  @Override
  public boolean shared() {
    return true;
  }

  @Override
  public void close() {
    opened.forEach(SqliteStore::close);
    try (Stream<Path> files = Files.list(folder)) {
      files.forEach(SqliteFixture::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    delete(folder);
  }

  static StoreSettings settings(@Nullable InstantSource clock, int shards) {
    return new StoreSettings(shards, clock, 4, Duration.ofSeconds(30), Duration.ofSeconds(30));
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An empty database, migrated once and copied for each test. */
  private static final class Migrated {

    static final Path FILE = migrate();

    private static Path migrate() {
      try {
        Path folder = Files.createTempDirectory("perdure");
        Path file = folder.resolve("migrated.db");
        folder.toFile().deleteOnExit();
        file.toFile().deleteOnExit();
        SqliteStore.open("sqlite:" + file, settings(null, 1)).close();
        return file;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

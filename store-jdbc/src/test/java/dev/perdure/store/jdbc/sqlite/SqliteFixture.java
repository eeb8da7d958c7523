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

/** Stores on one file in a folder of its own, which is deleted with it. */
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
    return reopen();
  }

  @Override
  public TaskStore reopen() {
    SqliteStore store = SqliteStore.open("sqlite:" + folder.resolve("tasks.db"), settings);
    opened.add(store);
    return store;
  }

  @Override
  public OpenTransaction begin() {
    String url = "jdbc:sqlite:" + folder.resolve("tasks.db");
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
}

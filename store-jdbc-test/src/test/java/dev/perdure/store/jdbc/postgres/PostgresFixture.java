// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.sql.JdbcTransaction;
import dev.perdure.store.jdbc.sql.StoreSettings;
import dev.perdure.store.testkit.StoreFixture;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Opens stores on a database that no other test uses at the same time. */
public final class PostgresFixture implements StoreFixture {

  private final ReusableDatabase database = ReusableDatabase.borrow();
  private final List<JdbcStore> opened = new ArrayList<>();
  private final boolean byUrl;
  private InstantSource clock = InstantSource.system();
  private int shards;

  /** Opens stores on connections that stay open from test to test. */
  public PostgresFixture() {
    this(false);
  }

  private PostgresFixture(boolean byUrl) {
    this.byUrl = byUrl;
  }

  /** Opens stores as a server does: by URL, with a migration check and its own pools. */
  static PostgresFixture byUrl() {
    return new PostgresFixture(true);
  }

  @Override
  public TaskStore create(InstantSource clock, int shards) {
    this.clock = clock;
    this.shards = shards;
    return reopen();
  }

  @Override
  public TaskStore reopen() {
    JdbcStore store = open();
    opened.add(store);
    return store;
  }

  private JdbcStore open() {
    if (byUrl) {
      return JdbcStore.builder().url(database.url()).clock(clock).shards(shards).poolSize(6).open();
    }
    StoreSettings settings =
        new StoreSettings(shards, clock, 6, Duration.ofSeconds(30), Duration.ofSeconds(5));
    return PostgresStore.openMigrated(database.dataSource(), settings);
  }

  @Override
  public OpenTransaction begin() {
    return new JdbcTransaction(opened.getFirst(), database::connect);
  }

  @Override
  public boolean shared() {
    return true;
  }

  @Override
  public void close() {
    opened.forEach(JdbcStore::close);
    database.close();
  }
}

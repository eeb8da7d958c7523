// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.sql.JdbcTransaction;
import dev.perdure.store.testkit.StoreFixture;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Opens stores on a database of its own. */
public final class PostgresFixture implements StoreFixture {

  private final TestPostgres database = new TestPostgres();
  private final List<JdbcStore> opened = new ArrayList<>();
  private InstantSource clock = InstantSource.system();
  private int shards;

  @Override
  public TaskStore create(InstantSource clock, int shards) {
    this.clock = clock;
    this.shards = shards;
    return reopen();
  }

  @Override
  public TaskStore reopen() {
    JdbcStore store =
        JdbcStore.builder().url(database.url()).clock(clock).shards(shards).poolSize(6).open();
    opened.add(store);
    return store;
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

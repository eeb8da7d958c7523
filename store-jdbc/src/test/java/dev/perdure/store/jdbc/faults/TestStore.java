// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.store.jdbc.postgres.PostgresFixture;
import dev.perdure.store.jdbc.sqlite.SqliteFixture;
import dev.perdure.store.testkit.InMemoryStore;
import dev.perdure.store.testkit.StoreFixture;
import java.time.InstantSource;

/** Every store that a fault is looked for in. */
enum TestStore {
  IN_MEMORY {
    @Override
    StoreFixture fixture() {
      return new InMemory();
    }
  },
  SQLITE {
    @Override
    StoreFixture fixture() {
      return new SqliteFixture();
    }
  },
  POSTGRES {
    @Override
    StoreFixture fixture() {
      return new PostgresFixture();
    }
  };

  abstract StoreFixture fixture();

  private static final class InMemory implements StoreFixture {

    private InMemoryStore store = new InMemoryStore(InstantSource.system(), 1);

    @Override
    public TaskStore create(InstantSource clock, int shards) {
      store = new InMemoryStore(clock, shards);
      return store;
    }

    @Override
    public TaskStore reopen() {
      return store.reopen();
    }

    @Override
    public OpenTransaction begin() {
      return store.begin();
    }

    @Override
    public boolean shared() {
      return true;
    }

    @Override
    public void close() {
      store.close();
    }
  }
}

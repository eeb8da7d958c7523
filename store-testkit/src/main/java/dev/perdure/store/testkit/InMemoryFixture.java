// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.testing.InMemoryStore;
import dev.perdure.testing.InMemoryTransaction;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Opens in-memory stores. */
public final class InMemoryFixture implements StoreFixture {

  private final List<InMemoryStore> opened = new ArrayList<>();

  /** Creates a fixture that has opened no store yet. */
  public InMemoryFixture() {}

  @Override
  public TaskStore create(InstantSource clock, int shards) {
    return open(new InMemoryStore(clock, shards));
  }

  @Override
  public TaskStore reopen() {
    return open(opened.getFirst().reopen());
  }

  @Override
  public OpenTransaction begin() {
    return new OpenInMemoryTransaction(opened.getFirst().begin());
  }

  private record OpenInMemoryTransaction(InMemoryTransaction transaction)
      implements OpenTransaction {

    @Override
    public void commit() {
      transaction.commit();
    }

    @Override
    public void close() {
      transaction.close();
    }
  }

  private InMemoryStore open(InMemoryStore store) {
    opened.add(store);
    return store;
  }

  @Override
  public boolean shared() {
    return true;
  }

  @Override
  public void close() {
    opened.forEach(InMemoryStore::close);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.spi.TaskStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Opens stores in memory. */
final class InMemoryFixture implements StoreFixture {

  private final List<InMemoryStore> opened = new ArrayList<>();

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
    return opened.getFirst().begin();
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

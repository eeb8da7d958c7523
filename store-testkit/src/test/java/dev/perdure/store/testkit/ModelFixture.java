// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.TaskStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Opens stores in memory. */
final class ModelFixture implements StoreFixture {

  private final List<ModelStore> opened = new ArrayList<>();

  @Override
  public TaskStore create(InstantSource clock, int shards) {
    return open(new ModelStore(clock, shards));
  }

  @Override
  public TaskStore reopen() {
    return open(opened.getFirst().reopen());
  }

  @Override
  public Begun begin() {
    return opened.getFirst().begin();
  }

  private ModelStore open(ModelStore store) {
    opened.add(store);
    return store;
  }

  @Override
  public boolean shared() {
    return true;
  }

  @Override
  public void close() {
    opened.forEach(ModelStore::close);
  }
}

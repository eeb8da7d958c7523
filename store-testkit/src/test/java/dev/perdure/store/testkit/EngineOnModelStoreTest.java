// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.TaskStore;
import java.time.InstantSource;
import org.junit.jupiter.api.Nested;

class EngineOnModelStoreTest {

  @Nested
  class Runs extends EngineContract {
    Runs() {
      super(InMemory::new);
    }
  }

  @Nested
  class Controls extends EngineControlContract {
    Controls() {
      super(InMemory::new);
    }
  }

  private static final class InMemory implements StoreFixture {

    @Override
    public TaskStore create(InstantSource clock, int shards) {
      return new ModelStore(clock, shards);
    }

    @Override
    public TaskStore reopen() {
      throw new UnsupportedOperationException("not asked of an engine");
    }

    @Override
    public boolean shared() {
      return false;
    }

    @Override
    public void close() {}
  }
}

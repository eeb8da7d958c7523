// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.DependencyStore;
import dev.perdure.engine.spi.PropagationRound;

/** Propagates the ends of tasks in memory. */
final class InMemoryDependencyStore implements DependencyStore {

  private final InMemoryDatabase database;

  InMemoryDependencyStore(InMemoryDatabase database) {
    this.database = database;
  }

  @Override
  public Propagation propagate(int limit) {
    synchronized (database) {
      return new PropagationRound<>(
              new InMemoryPropagationTables(database.tasks, database.now()), limit)
          .run();
    }
  }
}

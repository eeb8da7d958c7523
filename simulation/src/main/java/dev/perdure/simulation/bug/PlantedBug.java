// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.TaskStore;

/**
 * A mistake that others have shipped, planted at the store's seam. The engine itself has no switch
 * for any of them.
 */
public enum PlantedBug {
  /** None: the product as it is. */
  NONE,

  /** The store does not compare the epoch. */
  NO_EPOCH_CHECK {
    @Override
    public TaskStore wrapDatabase(TaskStore store, Surroundings around) {
      return new NoEpochCheck(store);
    }
  },

  /** The end of an attempt is written first, the next instant in a second transaction. */
  TWO_TRANSACTIONS {
    @Override
    public TaskStore wrapNodeStore(TaskStore store, Surroundings around) {
      return new TwoTransactions(store);
    }
  },

  /** The end of an attempt is acknowledged, and its slot freed, before it is written. */
  EARLY_ACKNOWLEDGEMENT {
    @Override
    public TaskStore wrapNodeStore(TaskStore store, Surroundings around) {
      return new EarlyAcknowledgement(store, around);
    }
  },

  /** Instants are stored with the writer's offset and compared as text. */
  INSTANTS_AS_TEXT {
    @Override
    public TaskStore wrapDatabase(TaskStore store, Surroundings around) {
      return new InstantsAsText(store, around);
    }
  },

  /** A node's row that ran out is renewed all the same. */
  DEAD_NODE_RENEWED {
    @Override
    public TaskStore wrapDatabase(TaskStore store, Surroundings around) {
      return new DeadNodeRenewed(store);
    }
  },

  /** A renewal does not show the node what it holds without knowing. */
  NO_RECONCILIATION {
    @Override
    public TaskStore wrapNodeStore(TaskStore store, Surroundings around) {
      return new NoReconciliation(store);
    }
  };

  /** The database, seen through the bug. */
  public TaskStore wrapDatabase(TaskStore store, Surroundings around) {
    return store;
  }

  /** The store that the engine is given, with the bug. */
  public TaskStore wrapNodeStore(TaskStore store, Surroundings around) {
    return store;
  }
}

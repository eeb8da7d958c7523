// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.spi.CallersTransaction;
import dev.perdure.engine.spi.TaskStore;
import java.time.InstantSource;

/** Opens stores for one test of the contract. */
public interface StoreFixture extends AutoCloseable {

  /** Opens a store that has no tasks and no nodes. Called once, before the others. */
  TaskStore create(InstantSource clock, int shards);

  /**
   * Opens a second store on the same tasks. Where the store is not {@link #shared()}, the first one
   * has been closed.
   */
  TaskStore reopen();

  /** Begins a transaction on a connection of the caller's own. */
  OpenTransaction begin();

  /** A caller's transaction under way; closed without a commit it is rolled back. */
  interface OpenTransaction extends AutoCloseable {

    /** What joins it. */
    CallersTransaction transaction();

    void commit();

    @Override
    void close();
  }

  /** True when two processes may have the store open at once. */
  boolean shared();

  /** Closes whatever it opened, also what a test has closed already. */
  @Override
  void close();
}

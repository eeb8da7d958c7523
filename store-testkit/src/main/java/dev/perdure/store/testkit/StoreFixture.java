// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.spi.CallerTransaction;
import dev.perdure.engine.spi.TaskStore;
import java.time.InstantSource;

/** Opens stores for one test of the contract. */
public interface StoreFixture extends AutoCloseable {

  /** Opens a store without tasks or nodes. Called once, before the other methods. */
  TaskStore create(InstantSource clock, int shards);

  /**
   * Opens a second store on the same tasks. If the store is not {@link #shared()}, the first one
   * has already been closed.
   */
  TaskStore reopen();

  /** Begins a transaction on the caller's own connection. */
  OpenTransaction begin();

  /** A caller's open transaction. Closing it without a commit rolls it back. */
  interface OpenTransaction extends AutoCloseable {

    /** Returns the writer that takes part in the transaction. */
    CallerTransaction transaction();

    void commit();

    @Override
    void close();
  }

  /** Returns whether two processes can open the store at once. */
  boolean shared();

  /** Closes all stores that were opened, including those that a test has already closed. */
  @Override
  void close();
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

/** Runs handlers, deliveries and batched writes: on virtual threads, or step by step in tests. */
public interface EngineExecutor {

  /** Starts the work and returns at once. */
  Interruptible start(String name, Runnable work);

  /** Work that has been started. */
  interface Interruptible {
    void interrupt();
  }

  /** Starts a virtual thread for each. */
  static EngineExecutor virtualThreads() {
    return (name, work) -> Thread.ofVirtual().name(name).start(work)::interrupt;
  }
}

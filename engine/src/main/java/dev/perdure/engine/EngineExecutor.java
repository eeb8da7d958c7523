// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

/** Where handlers run: virtual threads, or a scheduler that goes step by step. */
public interface EngineExecutor {

  /** Starts the work and returns at once. */
  Interruptible start(String name, Runnable work);

  /** Work under way. */
  interface Interruptible {
    void interrupt();
  }

  /** A virtual thread for each. */
  static EngineExecutor virtualThreads() {
    return (name, work) -> Thread.ofVirtual().name(name).start(work)::interrupt;
  }
}

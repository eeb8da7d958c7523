// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Code that can stop in the middle and go on later, while others run: a thread that runs only while
 * the one who resumed it waits. So of all threads of a simulation one runs at any time, and which
 * one is never left to chance.
 */
final class Fiber {

  /**
   * Ends a fiber whose process was killed. The engine's runner takes it for what its handler threw;
   * but what it makes of it stays in the memory of a process that does nothing more.
   */
  static final class Killed extends Error {

    private static final long serialVersionUID = 1;

    Killed() {
      super("the process was killed", null, false, false);
    }
  }

  private final Thread thread;
  private @Nullable Thread resumer;
  private volatile boolean running;
  private volatile boolean ended;
  private boolean killed;
  private long waits;
  private @Nullable Throwable problem;

  Fiber(Runnable body) {
    thread = Thread.ofVirtual().unstarted(() -> run(body));
  }

  private void run(Runnable body) {
    try {
      if (!killed) {
        body.run();
      }
    } catch (Killed end) {
      killed = true;
    } catch (Throwable unexpected) {
      problem = unexpected;
    }
    ended = true;
    handOver();
  }

  /** Runs it until it stops or ends; what it threw is thrown here. */
  void resume() throws Throwable {
    if (ended) {
      return;
    }
    resumer = Thread.currentThread();
    running = true;
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    } else {
      LockSupport.unpark(thread);
    }
    while (running) {
      LockSupport.park(this);
    }
    if (problem != null) {
      throw problem;
    }
  }

  /** Stops here until it is resumed; called by the fiber itself. */
  void pause() {
    handOver();
    while (!running) {
      LockSupport.park(this);
    }
    if (killed) {
      throw new Killed();
    }
  }

  private void handOver() {
    running = false;
    LockSupport.unpark(resumer);
  }

  /** Ends it where it stands. */
  void kill() throws Throwable {
    killed = true;
    resume();
  }

  boolean isEnded() {
    return ended;
  }

  /** Names the wait that begins now; whoever wakes the fiber must know which wait it means. */
  long nextWait() {
    waits++;
    return waits;
  }

  boolean isInWait(long wait) {
    return waits == wait && !ended;
  }

  long currentWait() {
    return waits;
  }
}

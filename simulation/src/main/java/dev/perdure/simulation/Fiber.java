// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Code that can pause anywhere and continue later. A fiber is a thread that runs only while the
 * thread that resumed it waits. So one thread of a simulation runs at a time, and the scheduler
 * decides which one.
 */
final class Fiber {

  /**
   * Ends a fiber whose process was killed. The engine's runner treats it as an error of the
   * handler, but that has no effect outside the dead process.
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
  private @Nullable Throwable failure;

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
      failure = unexpected;
    }
    ended = true;
    handOver();
  }

  /** Runs the fiber until it pauses or ends. Throws what the fiber threw. */
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
    if (failure != null) {
      throw failure;
    }
  }

  /** Pauses until the fiber is resumed. The fiber itself calls this. */
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

  /** Ends the fiber at its current pause. */
  void kill() throws Throwable {
    killed = true;
    resume();
  }

  boolean isEnded() {
    return ended;
  }

  /** Starts a new wait and returns its number, which {@link EventScheduler#wake} needs. */
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

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a piece of work again and again until it is stopped. In between it waits for a wake-up or
 * until the work asks to run again. No other class of the engine waits in a loop.
 *
 * <p>Exceptions and errors of the work are logged, and the loop continues after a wait that grows
 * up to about a second. Only a stop ends it: a node with one dead part would look alive.
 */
final class Loop {

  private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
  private static final long FIRST_WAIT_MS = 20;
  private static final int MAX_WAIT_DOUBLINGS = 6;
  private static final Duration MAX_WAIT = waitAfterFailure(MAX_WAIT_DOUBLINGS);

  /** One bounded piece of work. */
  @FunctionalInterface
  interface LoopBody {
    /** Runs once and returns after how long it should run again. */
    Duration runOnce();
  }

  private final String name;
  private final LoopBody loopBody;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean woken;
  private boolean stopped;

  private Loop(String name, LoopBody loopBody) {
    this.name = name;
    this.loopBody = loopBody;
    this.thread = Thread.ofPlatform().name("perdure-" + name).daemon().unstarted(this::run);
  }

  static Loop start(String name, LoopBody loopBody) {
    Loop loop = new Loop(name, loopBody);
    loop.thread.start();
    return loop;
  }

  /** Runs the work again without waiting. */
  void wake() {
    lock.lock();
    try {
      woken = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    int failures = 0;
    while (!isStopped()) {
      Duration wait;
      try {
        wait = loopBody.runOnce();
        if (failures > 0) {
          LOG.atInfo()
              .addKeyValue("component", name)
              .log("works again after {}", EngineLog.count(failures, "failure"));
        }
        failures = 0;
      } catch (RuntimeException | Error problem) {
        wait = afterFailure(problem, failures);
        failures++;
      }
      await(wait, failures > 0);
    }
  }

  /** Logs the problem if possible: without memory, logging fails too. */
  private Duration afterFailure(Throwable problem, int failures) {
    try {
      log(problem, failures == 0);
      return waitAfterFailure(failures);
    } catch (RuntimeException | Error cannotLog) {
      return MAX_WAIT;
    }
  }

  /** The wait after the nth failure in a row, from 0. */
  static Duration waitAfterFailure(int n) {
    return Duration.ofMillis(FIRST_WAIT_MS << Math.min(n, MAX_WAIT_DOUBLINGS));
  }

  /** An outage is one line without a stack trace: every part sees it at once, again and again. */
  private void log(Throwable problem, boolean first) {
    if (!(problem instanceof StoreException)) {
      LOG.atWarn().setCause(problem).addKeyValue("component", name).log("continues after an error");
    } else if (first) {
      LOG.atWarn()
          .addKeyValue("component", name)
          .log("the store fails and is retried: {}", problem.getMessage());
    }
  }

  private boolean isStopped() {
    lock.lock();
    try {
      return stopped;
    } finally {
      lock.unlock();
    }
  }

  private void await(Duration wait, boolean afterError) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(wait.toMillis());
    lock.lock();
    try {
      // A wake-up does not shorten the wait after an error, or the loop would spin.
      while (nanos > 0 && !stopped && (afterError || !woken)) {
        nanos = changed.awaitNanos(nanos);
      }
      woken = false;
    } catch (InterruptedException stop) {
      stopped = true;
    } finally {
      lock.unlock();
    }
  }

  /** Stops after the current piece of work. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the loop has stopped; false when the limit passed first. */
  boolean join(Duration limit) throws InterruptedException {
    return thread.join(limit);
  }
}

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
 * The only class with a {@code while} around time: does its work once, waits for a wake-up or until
 * the work wants to be done again, and so on until it is stopped. Whatever the work throws is
 * logged and the loop goes on, after a wait that grows up to a second. Nothing ends it but a stop:
 * a node with a part that stands still would look alive.
 */
final class Loop {

  private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
  private static final long FIRST_WAIT_MS = 20;
  private static final int MAX_WAIT_DOUBLINGS = 6;
  private static final Duration MAX_WAIT = waitAfterFailure(MAX_WAIT_DOUBLINGS);

  /** One bounded piece of work. */
  @FunctionalInterface
  interface LoopBody {
    /** Does it once and tells after how long it wants to be done again. */
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

  /** Does the work again without waiting for its time. */
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
              .log("works again, after {} failures", failures);
        }
        failures = 0;
      } catch (RuntimeException | Error problem) {
        wait = afterFailure(problem, failures);
        failures++;
      }
      await(wait, failures > 0);
    }
  }

  /** Says it, if it can: where there is no memory, saying it fails too. */
  private Duration afterFailure(Throwable problem, int failures) {
    try {
      log(problem, failures == 0);
      return waitAfterFailure(failures);
    } catch (RuntimeException | Error unsaid) {
      return MAX_WAIT;
    }
  }

  /** How long it waits after the n-th failure in a row, counted from 0. */
  static Duration waitAfterFailure(int n) {
    return Duration.ofMillis(FIRST_WAIT_MS << Math.min(n, MAX_WAIT_DOUBLINGS));
  }

  /** An outage is one line, without a stack: every part has it at once, and again and again. */
  private void log(Throwable problem, boolean first) {
    if (!(problem instanceof StoreException)) {
      LOG.atWarn().setCause(problem).addKeyValue("component", name).log("goes on after an error");
    } else if (first) {
      LOG.atWarn()
          .addKeyValue("component", name)
          .log("the store fails, and is tried on: {}", problem.getMessage());
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
      // A wake-up does not shorten the wait after an error: it would turn into a busy loop.
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

  /** Stops after the piece of work under way. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the end of the last piece of work; false when the limit passed first. */
  boolean join(Duration limit) throws InterruptedException {
    return thread.join(limit);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/*
 * Interrupts the thread of an attempt that takes too long.
 *
 * The interrupt must never reach code that the thread runs after the attempt. The state decides the
 * race between the timer and the end of the attempt: the first to leave RUNNING wins. If the timer
 * wins, end() waits for the few instructions until the interrupt is delivered, and then clears it.
 *
 * end() must not clear an interrupt from another source. A thread has only one flag, so the timer
 * checks it first: if the thread is already interrupted, the timer does nothing (a second interrupt
 * would not change anything for the attempt), and end() leaves the flag set. An interrupt from
 * another source between ours and the end of the attempt cannot be told apart from ours and is
 * cleared.
 */
final class AttemptInterrupter implements Runnable {

  private static final int RUNNING = 0;
  private static final int FIRING = 1;
  private static final int FIRED = 2;
  private static final int FOUND_INTERRUPTED = 3;
  private static final int ENDED = 4;

  private final AtomicInteger state = new AtomicInteger(RUNNING);
  private final Thread thread = Thread.currentThread();
  private final TimeProvider.Cancellable timer;

  @SuppressWarnings("this-escape")
  AttemptInterrupter(TimeProvider timeProvider, Duration limit) {
    this.timer = timeProvider.schedule(this, limit);
  }

  @Override
  public void run() {
    if (!state.compareAndSet(RUNNING, FIRING)) {
      return;
    }
    if (thread.isInterrupted()) {
      state.set(FOUND_INTERRUPTED);
    } else {
      thread.interrupt();
      state.set(FIRED);
    }
  }

  /**
   * Ends the attempt; returns true if the timer interrupted it. Called once, on the attempt's
   * thread.
   */
  boolean end() {
    if (state.compareAndSet(RUNNING, ENDED)) {
      timer.cancel();
      return false;
    }
    while (state.get() == FIRING) {
      Thread.onSpinWait();
    }
    boolean fired = state.get() == FIRED;
    if (fired) {
      Thread.interrupted();
    }
    return fired;
  }
}

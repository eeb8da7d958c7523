// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/*
 * Interrupts the thread of an attempt that takes too long.
 *
 * The interrupt must never reach what the thread does after the attempt. The state decides the race
 * between the timer and the end of the attempt: whoever leaves RUNNING first wins, and when the
 * timer has won, the end waits for the few instructions until the interrupt has been delivered and
 * then takes it away again.
 */
final class AttemptDeadline implements Runnable {

  private static final int RUNNING = 0;
  private static final int FIRING = 1;
  private static final int FIRED = 2;
  private static final int ENDED = 3;

  private final AtomicInteger state = new AtomicInteger(RUNNING);
  private final Thread thread = Thread.currentThread();
  private final boolean interruptedBefore = thread.isInterrupted();
  private final Waits.Cancellable timer;

  @SuppressWarnings("this-escape")
  AttemptDeadline(Waits waits, Duration limit) {
    this.timer = waits.schedule(this, limit);
  }

  @Override
  public void run() {
    if (state.compareAndSet(RUNNING, FIRING)) {
      thread.interrupt();
      state.set(FIRED);
    }
  }

  /** The attempt is over; true when it was interrupted by us. Called once, on its thread. */
  boolean end() {
    if (state.compareAndSet(RUNNING, ENDED)) {
      timer.cancel();
      return false;
    }
    while (state.get() == FIRING) {
      Thread.onSpinWait();
    }
    boolean wasSet = Thread.interrupted();
    if (wasSet && interruptedBefore) {
      thread.interrupt();
    }
    return true;
  }
}

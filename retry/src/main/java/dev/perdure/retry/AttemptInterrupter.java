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
 *
 * An interrupt of somebody else must not be taken away with it. A thread has only one flag, so the
 * timer looks before it sets it: a thread that is interrupted already is left alone (a second
 * interrupt would change nothing for the attempt), and the end leaves the flag as it is. Somebody
 * else's interrupt that comes between ours and the end of the attempt cannot be told from ours; it
 * is taken for ours.
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

  /** The attempt is over; true when it was interrupted by us. Called once, on its thread. */
  boolean end() {
    if (state.compareAndSet(RUNNING, ENDED)) {
      timer.cancel();
      return false;
    }
    while (state.get() == FIRING) {
      Thread.onSpinWait();
    }
    boolean ours = state.get() == FIRED;
    if (ours) {
      Thread.interrupted();
    }
    return ours;
  }
}

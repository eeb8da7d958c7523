// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A sleep that returns early when the thread is interrupted. The only place in the stores that
 * waits in real time.
 */
public final class InterruptibleSleep {

  private InterruptibleSleep() {}

  /** Sleeps for this long, or until the thread is interrupted. The interrupt flag stays set. */
  public static void sleep(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    long left = duration.toNanos();
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = end - System.nanoTime();
    }
  }
}

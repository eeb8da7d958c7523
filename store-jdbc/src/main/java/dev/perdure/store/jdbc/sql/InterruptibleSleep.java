// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The one place of the stores that waits in real time. */
public final class InterruptibleSleep {

  private InterruptibleSleep() {}

  /** Waits so long, or until the thread is interrupted; the interrupt stays set. */
  public static void sleep(Duration length) {
    long end = System.nanoTime() + length.toNanos();
    long left = length.toNanos();
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = end - System.nanoTime();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what comes to pass in another process. */
final class Waiting {

  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final long LOOK_AGAIN_NANOS = Duration.ofMillis(20).toNanos();

  private Waiting() {}

  static void until(String what, Callable<Boolean> reached) throws Exception {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!reached.call()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("not within %s: %s".formatted(LONGEST, what));
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what comes to pass in another process. */
final class Await {

  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();

  private Await() {}

  static void until(String what, Callable<Boolean> reached) throws Exception {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!reached.call()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("not within %s: %s".formatted(TIMEOUT, what));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition that another process makes true. */
final class Await {

  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();

  private Await() {}

  static void until(String condition, Callable<Boolean> isMet) throws Exception {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!isMet.call()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("Not true within %s: %s".formatted(TIMEOUT, condition));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}

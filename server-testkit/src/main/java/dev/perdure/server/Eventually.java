// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Polls until a condition holds. */
public final class Eventually {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private Eventually() {}

  public static <T> T await(Callable<T> supplier, Predicate<T> condition) throws Exception {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    T value = supplier.call();
    while (!condition.test(value)) {
      if (System.nanoTime() > end) {
        throw new AssertionError("still " + value);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      value = supplier.call();
    }
    return value;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Asks again until the answer is the one that is waited for. */
public final class Eventually {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private Eventually() {}

  public static <T> T await(Callable<T> question, Predicate<T> enough) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    T answer = question.call();
    while (!enough.test(answer)) {
      if (System.nanoTime() > end) {
        throw new AssertionError("still " + answer);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      answer = question.call();
    }
    return answer;
  }
}

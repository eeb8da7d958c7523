// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.time.Instant;

/**
 * Where retries get their time from. {@link #system()} is the real one; {@code
 * dev.perdure.retry.testing.FakeWaits} lets tests pass weeks in an instant.
 */
public interface TimeProvider {

  /** A monotonic clock, in nanoseconds from an arbitrary start. */
  long nanoTime();

  /** The wall clock; only an expiry at an instant looks at it. */
  Instant now();

  /** Holds the calling thread for so long. */
  void sleep(Duration duration) throws InterruptedException;

  /** Runs the task after so long, on another thread; it must not block. */
  Cancellable schedule(Runnable task, Duration delay);

  /** Something planned that can still be called off. */
  @FunctionalInterface
  interface Cancellable {
    /** Calls it off; nothing happens when it has begun already. */
    void cancel();
  }

  /** The time of this machine. */
  static TimeProvider system() {
    return SystemTimeProvider.INSTANCE;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.time.Instant;

/**
 * The source of time for retries: clocks, sleep and timers. {@link #system()} is the real one. In
 * tests, {@code dev.perdure.retry.testing.FakeTimeProvider} makes weeks pass in an instant.
 */
public interface TimeProvider {

  /** Returns the time of a monotonic clock, in nanoseconds from an arbitrary start. */
  long nanoTime();

  /** Returns the wall-clock time; used only for {@code expires_at}. */
  Instant now();

  /** Blocks the calling thread for this duration. */
  void sleep(Duration duration) throws InterruptedException;

  /** Runs the task after this delay, on another thread. The task must not block. */
  Cancellable schedule(Runnable task, Duration delay);

  /** A scheduled task that can be canceled. */
  @FunctionalInterface
  interface Cancellable {
    /** Cancels the task; has no effect if it has started. */
    void cancel();
  }

  /** Returns the system clock. */
  static TimeProvider system() {
    return SystemTimeProvider.INSTANCE;
  }
}

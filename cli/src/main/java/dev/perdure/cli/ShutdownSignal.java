// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs work that a signal such as Ctrl-C stops cleanly. */
final class ShutdownSignal {

  private static final Duration MAX_WAIT = Duration.ofSeconds(30);

  private ShutdownSignal() {}

  /**
   * Runs the work. When a signal arrives, the process waits for the work to end, so that it can
   * clean up.
   *
   * @param stop ends the work; called from another thread
   */
  static <T> T runUntilSignal(Callable<T> work, Runnable stop) throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    Thread listener = new Thread(() -> await(ended, stop), "stop");
    Runtime.getRuntime().addShutdownHook(listener);
    try {
      return work.call();
    } finally {
      ended.countDown();
      removeHook(listener);
    }
  }

  private static void await(CountDownLatch ended, Runnable stop) {
    stop.run();
    try {
      boolean unused = ended.await(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void removeHook(Thread listener) {
    try {
      Runtime.getRuntime().removeShutdownHook(listener);
    } catch (IllegalStateException expected) {
      // The signal has arrived: the hook is running and cannot be removed.
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The process is told to stop, as by Ctrl-C. */
final class ShutdownSignal {

  private static final Duration MAX_WAIT = Duration.ofSeconds(30);

  private ShutdownSignal() {}

  /**
   * Works; when the signal comes meanwhile, the process waits until the work has ended, so that
   * nothing is left behind.
   *
   * @param told ends the work, from another thread
   */
  static <T> T runUntilSignal(Callable<T> work, Runnable told) throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    Thread listener = new Thread(() -> await(ended, told), "stop");
    Runtime.getRuntime().addShutdownHook(listener);
    try {
      return work.call();
    } finally {
      ended.countDown();
      removeHook(listener);
    }
  }

  private static void await(CountDownLatch ended, Runnable told) {
    told.run();
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
      // The signal came: it listens no more after this.
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The process is told to stop, as by Ctrl-C. */
final class StopSignal {

  private static final Duration LONGEST = Duration.ofSeconds(30);

  private StopSignal() {}

  /**
   * Works; when the signal comes meanwhile, the process waits until the work has ended, so that
   * nothing is left behind.
   *
   * @param told ends the work, from another thread
   */
  static <T> T during(Callable<T> work, Runnable told) throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    Thread listener = new Thread(() -> await(ended, told), "stop");
    Runtime.getRuntime().addShutdownHook(listener);
    try {
      return work.call();
    } finally {
      ended.countDown();
      forget(listener);
    }
  }

  private static void await(CountDownLatch ended, Runnable told) {
    told.run();
    try {
      boolean unused = ended.await(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void forget(Thread listener) {
    try {
      Runtime.getRuntime().removeShutdownHook(listener);
    } catch (IllegalStateException expected) {
      // The signal came: it listens no more after this.
    }
  }
}

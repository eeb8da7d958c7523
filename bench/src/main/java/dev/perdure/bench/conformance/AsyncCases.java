// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import static java.time.Duration.ofMillis;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Requirements on the future that an asynchronous call returns. */
final class AsyncCases {

  private static final long OBSERVED_MILLIS = 200;

  private AsyncCases() {}

  static List<ConformanceCase> all() {
    Set<Feature> requiredFeatures = Set.of(Feature.ASYNC);
    return List.of(
        new ConformanceCase(
            "canceling the future stops further attempts",
            requiredFeatures,
            AsyncCases::cancelStops),
        new ConformanceCase(
            "a second attempt that throws immediately completes the future",
            requiredFeatures,
            AsyncCases::throwCompletes));
  }

  private static CheckResult cancelStops(Library library) throws InterruptedException {
    AtomicInteger attempts = new AtomicInteger();
    CountDownLatch third = new CountDownLatch(3);
    CompletableFuture<String> future =
        library.callAsync(
            RetrySettings.fixed(ofMillis(10)).withMaxRetries(100),
            () -> {
              attempts.incrementAndGet();
              third.countDown();
              return failed();
            });
    if (!third.await(5, TimeUnit.SECONDS)) {
      return CheckResult.fails(CheckResult.attempts(attempts.get()) + " in 5 s");
    }
    boolean canceled = future.cancel(true);
    int before = attempts.get();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(OBSERVED_MILLIS);
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    int more = attempts.get() - before;
    // One attempt may have started before the cancel.
    return CheckResult.of(
        canceled && more <= 1,
        "%s within %d ms after the cancel".formatted(CheckResult.attempts(more), OBSERVED_MILLIS));
  }

  private static CheckResult throwCompletes(Library library) throws InterruptedException {
    AtomicInteger attempts = new AtomicInteger();
    CompletableFuture<String> future =
        library.callAsync(
            RetrySettings.fixed(ofMillis(5)).withMaxRetries(1),
            () -> {
              if (attempts.incrementAndGet() == 1) {
                return failed();
              }
              throw new IllegalStateException("thrown, not returned");
            });
    try {
      future.get(5, TimeUnit.SECONDS);
      return CheckResult.fails("A call that always fails returned a value");
    } catch (ExecutionException e) {
      return CheckResult.of(true, "completed with " + e.getCause());
    } catch (TimeoutException e) {
      return CheckResult.fails(
          CheckResult.attempts(attempts.get()) + ", but the future is not complete after 5 s");
    }
  }

  private static CompletionStage<String> failed() {
    return CompletableFuture.failedStage(new IllegalStateException("failed"));
  }
}

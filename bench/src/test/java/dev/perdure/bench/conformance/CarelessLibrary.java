// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Fails every conformance case, which proves that each case can fail. */
final class CarelessLibrary implements Library {

  private static final Duration SHORT_DELAY = Duration.ofMillis(20);

  @Override
  public String name() {
    return "Careless";
  }

  @Override
  public @Nullable String unsupportedReason(Feature feature) {
    return null;
  }

  @Override
  public String call(RetrySettings settings, Callable<String> call) {
    @Nullable Throwable last = null;
    for (int attempt = 0; attempt <= settings.maxRetries(); attempt++) {
      try {
        return call.call();
      } catch (Throwable thrown) {
        last = thrown;
      }
      if (settings.throwingListener()) {
        throw new ListenerException();
      }
      if (settings.timeLimit() == null) {
        LockSupport.parkNanos(SHORT_DELAY.toNanos());
      }
      Thread.interrupted();
    }
    throw new IllegalStateException("wrapped", last);
  }

  @Override
  public CompletableFuture<String> callAsync(
      RetrySettings settings, Supplier<CompletionStage<String>> call) {
    CompletableFuture<String> future = new CompletableFuture<>();
    attempt(0, settings, call, future);
    return future;
  }

  private static void attempt(
      int attempt,
      RetrySettings settings,
      Supplier<CompletionStage<String>> call,
      CompletableFuture<String> future) {
    call.get()
        .whenComplete(
            (result, thrown) -> {
              if (thrown == null) {
                future.complete(result);
              } else if (attempt < settings.maxRetries()) {
                CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS)
                    .execute(() -> attempt(attempt + 1, settings, call, future));
              }
            });
  }

  @Override
  public List<Duration> delays(RetrySettings settings) {
    return Collections.nCopies(settings.maxRetries(), settings.cap().plusMillis(1));
  }
}

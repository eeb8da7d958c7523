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

/** Does everything wrong that the cases ask about, so that each of them is seen to fail. */
final class CarelessLibrary implements Library {

  private static final Duration IMPATIENT = Duration.ofMillis(20);

  @Override
  public String name() {
    return "Careless";
  }

  @Override
  public @Nullable String unsupportedReason(Feature feature) {
    return null;
  }

  @Override
  public String call(RetrySettings retrySettings, Callable<String> call) {
    @Nullable Throwable last = null;
    for (int attempt = 0; attempt <= retrySettings.maxRetries(); attempt++) {
      try {
        return call.call();
      } catch (Throwable thrown) {
        last = thrown;
      }
      if (retrySettings.throwingListener()) {
        throw new ListenerException();
      }
      if (retrySettings.timeLimit() == null) {
        LockSupport.parkNanos(IMPATIENT.toNanos());
      }
      Thread.interrupted();
    }
    throw new IllegalStateException("wrapped", last);
  }

  @Override
  public CompletableFuture<String> callAsync(
      RetrySettings retrySettings, Supplier<CompletionStage<String>> call) {
    CompletableFuture<String> future = new CompletableFuture<>();
    attempt(0, retrySettings, call, future);
    return future;
  }

  private static void attempt(
      int attempt,
      RetrySettings retrySettings,
      Supplier<CompletionStage<String>> call,
      CompletableFuture<String> future) {
    call.get()
        .whenComplete(
            (result, thrown) -> {
              if (thrown == null) {
                future.complete(result);
              } else if (attempt < retrySettings.maxRetries()) {
                CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS)
                    .execute(() -> attempt(attempt + 1, retrySettings, call, future));
              }
            });
  }

  @Override
  public List<Duration> delays(RetrySettings retrySettings) {
    return Collections.nCopies(retrySettings.maxRetries(), retrySettings.cap().plusMillis(1));
  }
}

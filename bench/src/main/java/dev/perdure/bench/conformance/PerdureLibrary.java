// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.FailureClassifier;
import dev.perdure.retry.Retry;
import dev.perdure.retry.RetryBuilder;
import dev.perdure.retry.RetryListener;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Perdure. */
final class PerdureLibrary implements Library {

  @Override
  public String name() {
    return "Perdure";
  }

  @Override
  public @Nullable String unsupportedReason(Feature feature) {
    return null;
  }

  @Override
  public String call(RetrySettings settings, Callable<String> call) throws Exception {
    return configured(settings).build().call(() -> call.call());
  }

  @Override
  public CompletableFuture<String> callAsync(
      RetrySettings settings, Supplier<CompletionStage<String>> call) {
    return configured(settings).build().callAsync(call);
  }

  @Override
  public List<Duration> delays(RetrySettings settings) {
    FakeTimeProvider waits = FakeTimeProvider.startingAt(Instant.EPOCH);
    Retry retry = configured(settings).timeProvider(waits).build();
    try {
      retry.run(
          () -> {
            throw new ServerBusyException();
          });
    } catch (ServerBusyException expected) {
      return waits.sleeps();
    }
    throw new IllegalStateException("A call that always fails returned a value");
  }

  private static RetryBuilder configured(RetrySettings settings) {
    RetryBuilder retry = Retry.builder(policy(settings));
    if (settings.timeLimit() != null) {
      retry.timeLimit(settings.timeLimit());
    }
    if (settings.delayByFailure()) {
      retry.failureClassifier(PerdureLibrary::classify);
    }
    if (settings.throwingListener()) {
      retry.listener(new ThrowingListener());
    }
    return retry;
  }

  private static RetryPolicy policy(RetrySettings settings) {
    Jitter.Independent jitter =
        settings.jitter() == 0 ? Jitter.none() : Jitter.spread(settings.jitter());
    return settings.isFixed()
        ? RetryPolicy.fixed(settings.initial())
            .jitter(jitter)
            .maxRetries(settings.maxRetries())
            .build()
        : RetryPolicy.exponential(settings.initial())
            .maxDelay(settings.cap())
            .jitter(jitter)
            .maxRetries(settings.maxRetries())
            .build();
  }

  private static Failure classify(Throwable thrown) {
    Failure failure = FailureClassifier.byType().classify(thrown);
    return thrown instanceof ServerBusyException busy
        ? failure.withRetryAfter(busy.retryAfter())
        : failure;
  }

  private static final class ThrowingListener implements RetryListener {
    @Override
    public void onRetry(RetryEvent event) {
      throw new ListenerException();
    }
  }
}

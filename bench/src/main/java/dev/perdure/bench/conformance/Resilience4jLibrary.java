// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.core.functions.Either;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Resilience4j. The delays are the results of its interval function. */
final class Resilience4jLibrary implements Library {

  private static final double MULTIPLIER = 2;

  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());

  @Override
  public String name() {
    return "Resilience4j";
  }

  @Override
  public @Nullable String unsupportedReason(Feature feature) {
    return feature == Feature.TIME_LIMIT ? "has no limit on the total time of all attempts" : null;
  }

  @Override
  public String call(RetrySettings settings, Callable<String> call) throws Exception {
    return configured(settings).executeCallable(call);
  }

  @Override
  public CompletableFuture<String> callAsync(
      RetrySettings settings, Supplier<CompletionStage<String>> call) {
    return configured(settings).executeCompletionStage(scheduler, call).toCompletableFuture();
  }

  @Override
  public List<Duration> delays(RetrySettings settings) {
    var interval = config(settings).<String>getIntervalBiFunction();
    return LongStream.rangeClosed(1, settings.maxRetries())
        .mapToObj(attempt -> interval.apply((int) attempt, Either.left(new ServerBusyException())))
        .map(Duration::ofMillis)
        .toList();
  }

  private static Retry configured(RetrySettings settings) {
    Retry retry = Retry.of("conformance", config(settings));
    if (settings.throwingListener()) {
      retry
          .getEventPublisher()
          .onRetry(
              event -> {
                throw new ListenerException();
              });
    }
    return retry;
  }

  private static RetryConfig config(RetrySettings settings) {
    RetryConfig.Builder<String> config =
        RetryConfig.<String>custom().maxAttempts(settings.maxRetries() + 1);
    IntervalFunction interval = interval(settings);
    if (settings.delayByFailure()) {
      config.intervalBiFunction(
          (attempt, end) ->
              end.isLeft() && end.getLeft() instanceof ServerBusyException busy
                  ? busy.retryAfter().toMillis()
                  : interval.apply(attempt));
    } else {
      config.intervalFunction(interval);
    }
    return config.build();
  }

  private static IntervalFunction interval(RetrySettings settings) {
    if (settings.isFixed()) {
      return settings.jitter() == 0
          ? IntervalFunction.of(settings.initial())
          : IntervalFunction.ofRandomized(settings.initial(), settings.jitter());
    }
    return settings.jitter() == 0
        ? IntervalFunction.ofExponentialBackoff(settings.initial(), MULTIPLIER, settings.cap())
        : IntervalFunction.ofExponentialRandomBackoff(
            settings.initial(), MULTIPLIER, settings.jitter(), settings.cap());
  }
}

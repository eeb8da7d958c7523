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

/** Resilience4j. Its delays are what its interval function answers. */
final class Resilience4jLibrary implements Library {

  private static final double MULTIPLIER = 2;

  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());

  @Override
  public String name() {
    return "Resilience4j";
  }

  @Override
  public @Nullable String lacks(Feature feature) {
    return feature == Feature.TIME_LIMIT
        ? "has no limit on the time of all attempts together"
        : null;
  }

  @Override
  public String call(Plan plan, Callable<String> call) throws Exception {
    return configured(plan).executeCallable(call);
  }

  @Override
  public CompletableFuture<String> callAsync(Plan plan, Supplier<CompletionStage<String>> call) {
    return configured(plan).executeCompletionStage(scheduler, call).toCompletableFuture();
  }

  @Override
  public List<Duration> delays(Plan plan) {
    var interval = config(plan).<String>getIntervalBiFunction();
    return LongStream.rangeClosed(1, plan.maxRetries())
        .mapToObj(attempt -> interval.apply((int) attempt, Either.left(new ServerBusy())))
        .map(Duration::ofMillis)
        .toList();
  }

  private static Retry configured(Plan plan) {
    Retry retry = Retry.of("conformance", config(plan));
    if (plan.throwingListener()) {
      retry
          .getEventPublisher()
          .onRetry(
              event -> {
                throw new ListenerBug();
              });
    }
    return retry;
  }

  private static RetryConfig config(Plan plan) {
    RetryConfig.Builder<String> config =
        RetryConfig.<String>custom().maxAttempts(plan.maxRetries() + 1);
    IntervalFunction interval = interval(plan);
    if (plan.delayByFailure()) {
      config.intervalBiFunction(
          (attempt, end) ->
              end.isLeft() && end.getLeft() instanceof ServerBusy busy
                  ? busy.retryAfter().toMillis()
                  : interval.apply(attempt));
    } else {
      config.intervalFunction(interval);
    }
    return config.build();
  }

  private static IntervalFunction interval(Plan plan) {
    if (plan.isFixed()) {
      return plan.jitter() == 0
          ? IntervalFunction.of(plan.initial())
          : IntervalFunction.ofRandomized(plan.initial(), plan.jitter());
    }
    return plan.jitter() == 0
        ? IntervalFunction.ofExponentialBackoff(plan.initial(), MULTIPLIER, plan.cap())
        : IntervalFunction.ofExponentialRandomBackoff(
            plan.initial(), MULTIPLIER, plan.jitter(), plan.cap());
  }
}

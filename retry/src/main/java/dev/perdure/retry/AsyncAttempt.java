// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One asynchronous attempt, between the breaker and the clock. */
final class AsyncAttempt {

  private AsyncAttempt() {}

  static <T extends @Nullable Object> CompletionStage<T> start(
      Settings settings,
      Course course,
      Function<? super RetryContext, ? extends CompletionStage<T>> call) {
    Breaker breaker = settings.limits().breaker();
    if (breaker != null && !breaker.allows()) {
      throw new CircuitOpenException(breaker.opensIn().orElse(null));
    }
    long begun = breaker == null ? 0 : settings.waits().nanoTime();
    CompletionStage<T> stage = timed(settings, begin(course, call));
    return breaker == null ? stage : told(breaker, settings.waits(), begun, stage);
  }

  private static <T extends @Nullable Object> CompletionStage<T> begin(
      Course course, Function<? super RetryContext, ? extends CompletionStage<T>> call) {
    return requireNonNull(call.apply(course), "the call returned null instead of a stage");
  }

  private static <T extends @Nullable Object> CompletionStage<T> timed(
      Settings settings, CompletionStage<T> stage) {
    Duration limit = settings.limits().attempt();
    if (limit == null) {
      return stage;
    }
    CompletableFuture<T> timed = new CompletableFuture<>();
    Waits.Cancellable timer =
        settings
            .waits()
            .schedule(
                () -> timed.completeExceptionally(new AttemptTimeoutException(limit, null)), limit);
    stage.whenComplete(
        (result, thrown) -> {
          timer.cancel();
          if (thrown == null) {
            timed.complete(result);
          } else {
            timed.completeExceptionally(thrown);
          }
        });
    // Whoever ends it first, the timer or a cancel: the work behind it is no longer wanted.
    CompletionStage<T> answer = timed;
    answer.whenComplete(
        (result, thrown) -> {
          if (thrown != null && stage instanceof CompletableFuture<?> future) {
            future.cancel(true);
          }
        });
    return answer;
  }

  private static <T extends @Nullable Object> CompletionStage<T> told(
      Breaker breaker, Waits waits, long begun, CompletionStage<T> stage) {
    return stage.whenComplete(
        (result, thrown) -> {
          Duration took = Duration.ofNanos(Math.max(0, waits.nanoTime() - begun));
          if (thrown == null) {
            breaker.succeeded(took);
          } else {
            breaker.failed(took, AsyncCall.unwrapped(thrown));
          }
        });
  }
}

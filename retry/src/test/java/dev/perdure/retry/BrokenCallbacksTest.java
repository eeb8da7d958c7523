// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * When a callback fails, the caller still gets exactly one result, and it is the failure of the
 * call.
 */
class BrokenCallbacksTest {

  private static final RetryPolicy POLICY =
      RetryPolicy.fixed(ofSeconds(1)).maxRetries(3).jitter(Jitter.none()).build();

  private final FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
  private final AtomicInteger attempts = new AtomicInteger();
  private final AtomicInteger completions = new AtomicInteger();
  private final List<StopReason> givenUp = new ArrayList<>();
  private final RetryListener listener =
      new RetryListener() {
        @Override
        public void onGiveUp(GiveUpEvent event) {
          givenUp.add(event.reason());
        }
      };

  private RetryBuilder retry() {
    return Retry.builder(POLICY).timeProvider(time).executor(Runnable::run).listener(listener);
  }

  private Throwable failSync(Retry retry) {
    return catchThrowable(
        () ->
            retry.run(
                () -> {
                  attempts.incrementAndGet();
                  throw new IOException("the real failure");
                }));
  }

  private Throwable failAsync(Retry retry) {
    CompletableFuture<String> future =
        retry.callAsync(
            () -> {
              attempts.incrementAndGet();
              return CompletableFuture.failedFuture(new IOException("the real failure"));
            });
    CompletionStage<String> stage = future;
    stage.whenComplete((result, thrown) -> completions.incrementAndGet());
    time.advance(ofSeconds(100));
    assertThat(completions).hasValue(1);
    assertThat(time.pending()).isZero();
    return future.exceptionNow();
  }

  private static RuntimeException broken() {
    return new IllegalArgumentException("broken");
  }

  record BrokenCallback(String name, UnaryOperator<RetryBuilder> installer) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<BrokenCallback> brokenCallbacks() {
    return Stream.of(
        new BrokenCallback(
            "failure classifier",
            retry ->
                retry.failureClassifier(
                    thrown -> {
                      throw broken();
                    })),
        new BrokenCallback(
            "predicate",
            retry ->
                retry.retryIf(
                    thrown -> {
                      throw broken();
                    })),
        new BrokenCallback(
            "delay function",
            retry ->
                retry.delayFunction(
                    (attempt, failure) -> {
                      throw broken();
                    })),
        new BrokenCallback(
            "error in the predicate",
            retry ->
                retry.retryIf(
                    thrown -> {
                      throw new NoClassDefFoundError("gone");
                    })));
  }

  @ParameterizedTest
  @MethodSource("brokenCallbacks")
  void a_sync_call_throws_its_failure_with_the_callbacks_error_suppressed(BrokenCallback callback) {
    assertRealFailure(failSync(callback.installer().apply(retry()).build()));
  }

  @ParameterizedTest
  @MethodSource("brokenCallbacks")
  void an_async_call_fails_with_its_failure_and_the_callbacks_error_suppressed(
      BrokenCallback callback) {
    assertRealFailure(failAsync(callback.installer().apply(retry()).build()));
  }

  private void assertRealFailure(Throwable thrown) {
    assertThat(thrown).isInstanceOf(IOException.class).hasMessage("the real failure");
    assertThat(thrown.getSuppressed()).hasSize(2);
    assertThat(RetrySummary.of(thrown).orElseThrow().reason()).isEqualTo(StopReason.INTERNAL_ERROR);
    assertThat(attempts).hasValue(1);
    assertThat(givenUp).containsExactly(StopReason.INTERNAL_ERROR);
  }

  @Test
  void an_exception_of_the_result_classifier_is_thrown() {
    Retry retry =
        retry()
            .resultClassifier(
                result -> {
                  throw broken();
                })
            .build();
    assertThat(catchThrowable(() -> retry.<String, Exception>call(() -> "fine")))
        .hasMessage("broken");
    CompletableFuture<String> future =
        retry.callAsync(() -> CompletableFuture.completedFuture("fine"));
    assertThat(future.exceptionNow()).hasMessage("broken");
    assertThat(givenUp).containsExactly(StopReason.INTERNAL_ERROR, StopReason.INTERNAL_ERROR);
  }

  @Test
  void a_rejected_result_is_returned_when_the_delay_function_throws() {
    Retry retry =
        retry()
            .retryOnResult(any -> true)
            .delayFunction(
                (attempt, failure) -> {
                  throw broken();
                })
            .build();
    assertThat(retry.<String, RuntimeException>call(() -> "rejected")).isEqualTo("rejected");
    assertThat(retry.callAsync(() -> CompletableFuture.completedFuture("rejected")).join())
        .isEqualTo("rejected");
  }

  @Test
  void a_listener_that_throws_changes_nothing_even_with_an_error() {
    RetryListener throwing =
        new RetryListener() {
          @Override
          public void onRetry(RetryEvent event) {
            throw new AssertionError("broken listener");
          }

          @Override
          public void onGiveUp(GiveUpEvent event) {
            throw new AssertionError("broken listener");
          }
        };
    Retry retry = retry().listener(throwing).build();
    assertThat(RetrySummary.of(failSync(retry)).orElseThrow().attempts()).isEqualTo(4);
    assertThat(RetrySummary.of(failAsync(retry)).orElseThrow().attempts()).isEqualTo(4);
  }

  @Test
  void a_breaker_that_throws_does_not_make_a_successful_call_repeat() {
    CircuitBreakerAdapter throwing =
        new CircuitBreakerAdapter() {
          @Override
          public boolean tryAcquirePermit() {
            return true;
          }

          @Override
          public void onSuccess(Duration took) {
            throw broken();
          }
        };
    Retry retry = retry().circuitBreaker(throwing).build();
    assertThat(retry.<Integer, RuntimeException>call(attempts::incrementAndGet)).isEqualTo(1);
    assertThat(
            retry
                .callAsync(() -> CompletableFuture.completedFuture(attempts.incrementAndGet()))
                .join())
        .isEqualTo(2);
  }

  @Nested
  class AnAsyncCall {

    @Test
    void ends_when_the_timer_is_shut_down() {
      assertRejectedExecution(
          failAsync(retry().timeProvider(new ShutDownTimeProvider(time)).build()));
    }

    @Test
    void ends_when_the_executor_is_shut_down() {
      assertRejectedExecution(failAsync(retry().executor(BrokenCallbacksTest::reject).build()));
    }

    @Test
    void ends_when_the_executor_rejects_an_immediate_retry() {
      Retry retry =
          Retry.builder(RetryPolicy.immediate().build())
              .listener(listener)
              .timeProvider(time)
              .executor(BrokenCallbacksTest::reject)
              .build();
      assertRejectedExecution(failAsync(retry));
    }

    @Test
    void ends_when_the_timer_is_shut_down_after_a_rejected_result() {
      Retry retry =
          retry().retryOnResult(any -> true).timeProvider(new ShutDownTimeProvider(time)).build();
      CompletableFuture<String> future =
          retry.callAsync(() -> CompletableFuture.completedFuture("rejected"));
      assertThat(future.exceptionNow()).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void counts_a_null_stage_as_a_failure() {
      CompletableFuture<String> future =
          retry()
              .build()
              .callAsync(
                  () -> {
                    attempts.incrementAndGet();
                    return null;
                  });
      time.advance(ofSeconds(100));
      assertThat(future.exceptionNow()).isInstanceOf(NullPointerException.class);
      assertThat(attempts).hasValue(4);
    }

    @Test
    void cancels_the_attempt_when_its_timeout_cannot_be_scheduled() {
      CompletableFuture<String> work = new CompletableFuture<>();
      CompletableFuture<String> future =
          retry()
              .attemptTimeout(ofSeconds(1))
              .timeProvider(new ShutDownTimeProvider(time))
              .build()
              .callAsync(() -> work);
      assertThat(work).isCancelled();
      assertThat(future.exceptionNow()).isInstanceOf(RejectedExecutionException.class);
    }

    private void assertRejectedExecution(Throwable thrown) {
      assertThat(thrown).isInstanceOf(IOException.class).hasMessage("the real failure");
      assertThat(thrown.getSuppressed()[0]).isInstanceOf(RejectedExecutionException.class);
      assertThat(attempts).hasValue(1);
      assertThat(givenUp).containsExactly(StopReason.INTERNAL_ERROR);
    }
  }

  @Test
  void a_sync_call_ends_when_the_sleep_fails() {
    Throwable thrown = failSync(retry().timeProvider(new ShutDownTimeProvider(time)).build());
    assertThat(thrown).hasMessage("the real failure");
    assertThat(thrown.getSuppressed()[0]).isInstanceOf(RejectedExecutionException.class);
    assertThat(attempts).hasValue(1);
  }

  @Test
  void a_sync_call_throws_its_failure_when_the_sleep_throws_an_error() {
    TimeProvider broken =
        new ForwardingTimeProvider(time) {
          @Override
          public void sleep(Duration duration) {
            throw new NoClassDefFoundError("gone");
          }
        };
    Throwable thrown = failSync(retry().timeProvider(broken).build());
    assertThat(thrown).hasMessage("the real failure");
    assertThat(thrown.getSuppressed()[0]).isInstanceOf(NoClassDefFoundError.class);
    assertThat(givenUp).containsExactly(StopReason.INTERNAL_ERROR);
  }

  /** An exception whose getMessage throws. */
  private static final class BrokenMessageException extends RuntimeException {
    @Override
    public String getMessage() {
      throw broken();
    }
  }

  @Test
  void a_failure_whose_message_throws_is_retried_as_usual() {
    BrokenMessageException failure = new BrokenMessageException();
    Throwable thrown = catchThrowable(() -> retry().build().run(this::failWithBrokenMessage));
    assertThat(thrown.getClass()).isEqualTo(failure.getClass());
    assertThat(attempts).hasValue(4);

    CompletableFuture<String> future =
        retry().build().callAsync(() -> CompletableFuture.failedFuture(failure));
    time.advance(ofSeconds(100));
    assertThat(future.isCompletedExceptionally()).isTrue();
    assertThat(givenUp).containsExactly(StopReason.EXHAUSTED, StopReason.EXHAUSTED);
  }

  private void failWithBrokenMessage() {
    attempts.incrementAndGet();
    throw new BrokenMessageException();
  }

  @Test
  void a_clock_that_runs_backwards_counts_as_no_time() {
    Retry retry =
        retry().timeLimit(ofSeconds(1000)).timeProvider(new BackwardsTimeProvider(time)).build();
    Throwable thrown = failSync(retry);
    assertThat(RetrySummary.of(thrown).orElseThrow().elapsed()).isZero();
    assertThat(RetrySummary.of(thrown).orElseThrow().attempts()).isEqualTo(4);
    assertThat(RetrySummary.of(failAsync(retry)).orElseThrow().attempts()).isEqualTo(4);
  }

  private static void reject(Runnable task) {
    throw new RejectedExecutionException("shut down");
  }

  /** Returns the time, and throws for everything else. */
  private static final class ShutDownTimeProvider extends ForwardingTimeProvider {
    ShutDownTimeProvider(TimeProvider time) {
      super(time);
    }

    @Override
    public void sleep(Duration duration) {
      throw new RejectedExecutionException("shut down");
    }

    @Override
    public Cancellable schedule(Runnable task, Duration delay) {
      throw new RejectedExecutionException("shut down");
    }
  }

  /** A clock that runs backwards. */
  private static final class BackwardsTimeProvider extends ForwardingTimeProvider {
    BackwardsTimeProvider(TimeProvider time) {
      super(time);
    }

    @Override
    public long nanoTime() {
      return -super.nanoTime();
    }
  }

  @Test
  void the_failure_classifier_decides() {
    Retry retry =
        retry().failureClassifier(thrown -> Failure.exception(thrown).withPermanent(true)).build();
    assertThat(RetrySummary.of(failSync(retry)).orElseThrow().reason())
        .isEqualTo(StopReason.NOT_RETRYABLE);
  }
}

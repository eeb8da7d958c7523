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

/** Whatever breaks around a call, the caller gets an answer, once, and it is the real failure. */
class BrokenCallbacksTest {

  private static final RetryPolicy POLICY =
      RetryPolicy.fixed(ofSeconds(1)).maxRetries(3).jitter(Jitter.none()).build();

  private final FakeTimeProvider waits = FakeTimeProvider.startingAt(Instant.EPOCH);
  private final AtomicInteger attempts = new AtomicInteger();
  private final AtomicInteger answers = new AtomicInteger();
  private final List<StopReason> givenUp = new ArrayList<>();
  private final RetryListener listener =
      new RetryListener() {
        @Override
        public void onGiveUp(GiveUpEvent event) {
          givenUp.add(event.reason());
        }
      };

  private RetryBuilder retry() {
    return Retry.builder(POLICY).timeProvider(waits).executor(Runnable::run).listener(listener);
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
    stage.whenComplete((result, thrown) -> answers.incrementAndGet());
    waits.advance(ofSeconds(100));
    assertThat(answers).hasValue(1);
    assertThat(waits.pending()).isZero();
    return future.exceptionNow();
  }

  private static RuntimeException broken() {
    return new IllegalArgumentException("broken");
  }

  record BrokenCallback(String name, UnaryOperator<RetryBuilder> by) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<BrokenCallback> breakages() {
    return Stream.of(
        new BrokenCallback(
            "reader",
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
  @MethodSource("breakages")
  void a_sync_call_throws_the_failure_with_what_broke_suppressed(BrokenCallback brokenCallback) {
    expectRealFailure(failSync(brokenCallback.by().apply(retry()).build()));
  }

  @ParameterizedTest
  @MethodSource("breakages")
  void an_async_call_completes_with_the_failure_and_what_broke_suppressed(
      BrokenCallback brokenCallback) {
    expectRealFailure(failAsync(brokenCallback.by().apply(retry()).build()));
  }

  private void expectRealFailure(Throwable thrown) {
    assertThat(thrown).isInstanceOf(IOException.class).hasMessage("the real failure");
    assertThat(thrown.getSuppressed()).hasSize(2);
    assertThat(RetrySummary.of(thrown).orElseThrow().reason()).isEqualTo(StopReason.INTERNAL_ERROR);
    assertThat(attempts).hasValue(1);
    assertThat(givenUp).containsExactly(StopReason.INTERNAL_ERROR);
  }

  @Test
  void a_result_reader_that_throws_is_the_answer() {
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
  void a_refused_result_stands_when_the_delay_of_its_retry_cannot_be_told() {
    Retry retry =
        retry()
            .retryOnResult(any -> true)
            .delayFunction(
                (attempt, failure) -> {
                  throw broken();
                })
            .build();
    assertThat(retry.<String, RuntimeException>call(() -> "refused")).isEqualTo("refused");
    assertThat(retry.callAsync(() -> CompletableFuture.completedFuture("refused")).join())
        .isEqualTo("refused");
  }

  @Test
  void a_listener_that_throws_changes_nothing_even_with_an_error() {
    RetryListener rude =
        new RetryListener() {
          @Override
          public void onRetry(RetryEvent event) {
            throw new AssertionError("rude");
          }

          @Override
          public void onGiveUp(GiveUpEvent event) {
            throw new AssertionError("rude");
          }
        };
    Retry retry = retry().listener(rude).build();
    assertThat(RetrySummary.of(failSync(retry)).orElseThrow().attempts()).isEqualTo(4);
    assertThat(RetrySummary.of(failAsync(retry)).orElseThrow().attempts()).isEqualTo(4);
  }

  @Test
  void a_breaker_that_throws_when_told_does_not_repeat_what_went_well() {
    CircuitBreakerAdapter confused =
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
    Retry retry = retry().circuitBreaker(confused).build();
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
      expectRefusal(failAsync(retry().timeProvider(new ShutDown(waits)).build()));
    }

    @Test
    void ends_when_the_executor_is_shut_down() {
      expectRefusal(failAsync(retry().executor(BrokenCallbacksTest::refuse).build()));
    }

    @Test
    void ends_when_the_executor_refuses_an_immediate_retry() {
      Retry retry =
          Retry.builder(RetryPolicy.immediate().build())
              .listener(listener)
              .timeProvider(waits)
              .executor(BrokenCallbacksTest::refuse)
              .build();
      expectRefusal(failAsync(retry));
    }

    @Test
    void ends_when_the_timer_refuses_after_a_refused_result() {
      Retry retry = retry().retryOnResult(any -> true).timeProvider(new ShutDown(waits)).build();
      CompletableFuture<String> future =
          retry.callAsync(() -> CompletableFuture.completedFuture("refused"));
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
      waits.advance(ofSeconds(100));
      assertThat(future.exceptionNow()).isInstanceOf(NullPointerException.class);
      assertThat(attempts).hasValue(4);
    }

    @Test
    void cancels_the_work_when_the_timer_of_its_deadline_refuses() {
      CompletableFuture<String> work = new CompletableFuture<>();
      CompletableFuture<String> future =
          retry()
              .attemptTimeout(ofSeconds(1))
              .timeProvider(new ShutDown(waits))
              .build()
              .callAsync(() -> work);
      assertThat(work).isCancelled();
      assertThat(future.exceptionNow()).isInstanceOf(RejectedExecutionException.class);
    }

    private void expectRefusal(Throwable thrown) {
      assertThat(thrown).isInstanceOf(IOException.class).hasMessage("the real failure");
      assertThat(thrown.getSuppressed()[0]).isInstanceOf(RejectedExecutionException.class);
      assertThat(attempts).hasValue(1);
      assertThat(givenUp).containsExactly(StopReason.INTERNAL_ERROR);
    }
  }

  @Test
  void a_sync_call_ends_when_it_cannot_wait() {
    Throwable thrown = failSync(retry().timeProvider(new ShutDown(waits)).build());
    assertThat(thrown).hasMessage("the real failure");
    assertThat(thrown.getSuppressed()[0]).isInstanceOf(RejectedExecutionException.class);
    assertThat(attempts).hasValue(1);
  }

  @Test
  void a_sync_call_throws_its_failure_when_the_wait_ends_in_an_error() {
    TimeProvider torn =
        new ForwardingTimeProvider(waits) {
          @Override
          public void sleep(Duration duration) {
            throw new NoClassDefFoundError("gone");
          }
        };
    Throwable thrown = failSync(retry().timeProvider(torn).build());
    assertThat(thrown).hasMessage("the real failure");
    assertThat(thrown.getSuppressed()[0]).isInstanceOf(NoClassDefFoundError.class);
    assertThat(givenUp).containsExactly(StopReason.INTERNAL_ERROR);
  }

  /** Such as one that makes its message from what is gone by then. */
  private static final class BrokenMessageException extends RuntimeException {
    @Override
    public String getMessage() {
      throw broken();
    }
  }

  @Test
  void a_failure_whose_message_cannot_be_read_is_a_failure_like_any_other() {
    BrokenMessageException failure = new BrokenMessageException();
    Throwable thrown = catchThrowable(() -> retry().build().run(this::failUnspeakably));
    assertThat(thrown.getClass()).isEqualTo(failure.getClass());
    assertThat(attempts).hasValue(4);

    CompletableFuture<String> future =
        retry().build().callAsync(() -> CompletableFuture.failedFuture(failure));
    waits.advance(ofSeconds(100));
    assertThat(future.isCompletedExceptionally()).isTrue();
    assertThat(givenUp).containsExactly(StopReason.EXHAUSTED, StopReason.EXHAUSTED);
  }

  private void failUnspeakably() {
    attempts.incrementAndGet();
    throw new BrokenMessageException();
  }

  @Test
  void a_clock_that_runs_backwards_is_no_time_at_all() {
    Retry retry = retry().timeLimit(ofSeconds(1000)).timeProvider(new Backwards(waits)).build();
    Throwable thrown = failSync(retry);
    assertThat(RetrySummary.of(thrown).orElseThrow().elapsed()).isZero();
    assertThat(RetrySummary.of(thrown).orElseThrow().attempts()).isEqualTo(4);
    assertThat(RetrySummary.of(failAsync(retry)).orElseThrow().attempts()).isEqualTo(4);
  }

  private static void refuse(Runnable task) {
    throw new RejectedExecutionException("shut down");
  }

  /** Tells the time and refuses everything else. */
  private static final class ShutDown extends ForwardingTimeProvider {
    ShutDown(TimeProvider time) {
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

  /** The more time passes, the earlier it is. */
  private static final class Backwards extends ForwardingTimeProvider {
    Backwards(TimeProvider time) {
      super(time);
    }

    @Override
    public long nanoTime() {
      return -super.nanoTime();
    }
  }

  @Test
  void what_the_reader_says_decides() {
    Retry retry =
        retry().failureClassifier(thrown -> Failure.exception(thrown).withPermanent(true)).build();
    assertThat(RetrySummary.of(failSync(retry)).orElseThrow().reason())
        .isEqualTo(StopReason.NOT_RETRYABLE);
  }
}

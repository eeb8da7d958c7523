// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AsyncCallTest {

  private static final RetryPolicy POLICY =
      RetryPolicy.exponential(ofSeconds(1)).maxRetries(3).jitter(Jitter.none()).build();

  private final FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
  private final AtomicInteger attempts = new AtomicInteger();

  private RetryBuilder retry() {
    return Retry.builder(POLICY).timeProvider(time).executor(Runnable::run);
  }

  private CompletionStage<String> flaky(int failures) {
    return attempts.incrementAndGet() <= failures
        ? CompletableFuture.failedFuture(new IOException("no " + attempts.get()))
        : CompletableFuture.completedFuture("done");
  }

  @Test
  void retries_until_it_succeeds() {
    CompletableFuture<String> future = retry().build().callAsync(() -> flaky(2));
    time.advance(ofSeconds(1));
    assertThat(future).isNotDone();
    time.advance(ofSeconds(2));
    assertThat(future).isCompletedWithValue("done");
    assertThat(attempts).hasValue(3);
  }

  @Test
  void fails_with_the_last_failure_and_a_summary() {
    CompletableFuture<String> future = retry().build().callAsync(() -> flaky(9));
    time.advance(ofSeconds(7));
    assertThat(future.exceptionNow()).isInstanceOf(IOException.class).hasMessage("no 4");
    assertThat(future.exceptionNow().getSuppressed())
        .extracting(Throwable::getMessage)
        .containsExactly("no 1", "no 2", "no 3", "4 attempts in PT7S, stopped: EXHAUSTED");
  }

  @Test
  void the_context_has_the_attempt_and_the_previous_failure() {
    List<String> contexts = new ArrayList<>();
    CompletableFuture<String> future =
        retry()
            .build()
            .callAsyncWithContext(
                context -> {
                  contexts.add(
                      context.attempt()
                          + " "
                          + context.previousFailure().map(Throwable::getMessage).orElse("nothing"));
                  return flaky(2);
                });
    time.advance(ofSeconds(9));
    assertThat(future).isCompletedWithValue("done");
    assertThat(contexts).containsExactly("0 nothing", "1 no 1", "2 no 2");
  }

  @Test
  void unwraps_failures_that_futures_wrapped() {
    CompletableFuture<String> future =
        retry()
            .retryIf(thrown -> thrown instanceof IOException)
            .build()
            .callAsync(
                () -> {
                  attempts.incrementAndGet();
                  return CompletableFuture.failedFuture(
                      new CompletionException(new ExecutionException(new IOException("deep"))));
                });
    time.advance(ofSeconds(9));
    assertThat(attempts).hasValue(4);
    assertThat(future.exceptionNow()).isInstanceOf(IOException.class).hasMessage("deep");
  }

  @Test
  void cancels_an_attempt_that_times_out_before_the_next_one() {
    List<CompletableFuture<String>> stages = new ArrayList<>();
    CompletableFuture<String> future =
        Retry.builder(RetryPolicy.immediate().maxRetries(1).build())
            .timeProvider(time)
            .executor(Runnable::run)
            .attemptTimeout(ofSeconds(5))
            .build()
            .callAsync(
                () -> {
                  assertThat(stages).allMatch(CompletableFuture::isDone);
                  stages.add(new CompletableFuture<>());
                  return stages.getLast();
                });
    time.advance(ofSeconds(10));
    assertThat(stages).hasSize(2).allMatch(CompletableFuture::isCancelled);
    assertThat(future.exceptionNow()).isInstanceOf(AttemptTimeoutException.class);
    assertThat(time.pending()).isZero();
  }

  @Test
  void an_attempt_that_ends_in_time_cancels_its_timer() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> future =
        retry().attemptTimeout(ofSeconds(5)).build().callAsync(() -> work);
    assertThat(time.pending()).isEqualTo(1);
    work.complete("done");
    assertThat(future).isCompletedWithValue("done");
    assertThat(time.pending()).isZero();
  }

  @Test
  void counts_a_stage_that_completes_twice_once() {
    CompletableFuture<String> future = retry().build().callAsync(CompletesTwice::new);
    assertThat(time.pending()).isEqualTo(1);
    time.advance(ofSeconds(100));
    assertThat(RetrySummary.of(future.exceptionNow()).orElseThrow().attempts()).isEqualTo(4);
  }

  /**
   * Otherwise a CompletionException with a stack trace would be created for every failure, and not
   * used.
   */
  @Test
  void does_not_wrap_failures_unnecessarily() {
    List<CompletableFuture<?>> derived = new ArrayList<>();
    CompletableFuture<String> future =
        Retry.builder(RetryPolicy.none())
            .build()
            .callAsync(() -> new RecordsDerivedStages(derived));

    assertThat(future).isCompletedExceptionally();
    assertThat(derived).hasSize(1).allSatisfy(each -> assertThat(each).isCompleted());
  }

  /** A failed future that records the stages derived from it. */
  private static final class RecordsDerivedStages extends CompletableFuture<String> {
    private final List<CompletableFuture<?>> derived;

    RecordsDerivedStages(List<CompletableFuture<?>> derived) {
      this.derived = derived;
      completeExceptionally(new IOException("no"));
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      CompletableFuture<U> stage = new CompletableFuture<>();
      derived.add(stage);
      return stage;
    }
  }

  private static final class CompletesTwice extends CompletableFuture<String> {
    @Override
    public <U> CompletableFuture<U> handle(
        BiFunction<? super String, Throwable, ? extends U> action) {
      U unused = action.apply(null, new IOException("once"));

      return CompletableFuture.completedFuture(action.apply(null, new IOException("twice")));
    }
  }

  @Test
  void notifies_the_breaker_when_the_supplier_throws() {
    List<String> events = new ArrayList<>();
    CompletableFuture<String> future =
        Retry.builder(RetryPolicy.none())
            .circuitBreaker(recording(events))
            .build()
            .callAsync(
                () -> {
                  throw new IllegalStateException("at once");
                });
    assertThat(future).isCompletedExceptionally();
    assertThat(events).containsExactly("asked", "failed IllegalStateException");
  }

  @Test
  void notifies_the_breaker_of_rejected_results_and_canceled_attempts() {
    List<String> events = new ArrayList<>();
    Retry retry = retry().circuitBreaker(recording(events)).retryOnResult("no"::equals).build();
    CompletableFuture<String> rejected =
        retry.callAsync(() -> CompletableFuture.completedFuture("no"));
    rejected.cancel(true);
    CompletableFuture<String> work = new CompletableFuture<>();
    retry.callAsync(() -> work).cancel(true);
    assertThat(events)
        .containsExactly("asked", "failed RejectedResultException", "asked", "canceled");
    assertThat(work).isCancelled();
  }

  private static CircuitBreakerAdapter recording(List<String> events) {
    return new CircuitBreakerAdapter() {
      @Override
      public boolean tryAcquirePermit() {
        return events.add("asked");
      }

      @Override
      public void onSuccess(Duration took) {
        events.add("succeeded");
      }

      @Override
      public void onFailure(Duration took, Throwable failure) {
        events.add("failed " + failure.getClass().getSimpleName());
      }

      @Override
      public void releasePermit() {
        events.add("canceled");
      }
    };
  }

  @Nested
  class EndedByTheCaller {

    @Test
    void completing_the_future_leaves_no_timer() {
      CompletableFuture<String> future = retry().build().callAsync(() -> flaky(9));
      future.complete("never mind");
      assertThat(time.pending()).isZero();
      assertThat(future).isCompletedWithValue("never mind");
    }

    @Test
    void a_timeout_of_the_future_cancels_the_attempt() {
      CompletableFuture<String> work = new CompletableFuture<>();
      CompletableFuture<String> future = retry().build().callAsync(() -> work);
      future.completeExceptionally(new TimeoutException("as orTimeout does"));
      assertThat(work).isCancelled();
      assertThat(future.exceptionNow()).isInstanceOf(TimeoutException.class);
    }

    @Test
    void canceling_during_an_attempt_prevents_the_next_attempt() {
      List<CompletableFuture<String>> futures = new ArrayList<>();
      Retry retry = retry().build();
      futures.add(
          retry.callAsync(
              () -> {
                if (attempts.incrementAndGet() == 2) {
                  futures.getFirst().cancel(true);
                }
                return CompletableFuture.failedFuture(new IOException("no"));
              }));
      time.advance(ofSeconds(100));
      assertThat(attempts).hasValue(2);
      assertThat(time.pending()).isZero();
      assertThat(futures.getFirst()).isCancelled();
    }

    @Test
    void canceling_while_an_attempt_starts_cancels_its_stage() {
      List<CompletableFuture<String>> futures = new ArrayList<>();
      CompletableFuture<String> work = new CompletableFuture<>();
      futures.add(
          retry()
              .build()
              .callAsync(
                  () -> {
                    if (attempts.incrementAndGet() == 1) {
                      return CompletableFuture.failedFuture(new IOException("no"));
                    }
                    futures.getFirst().cancel(true);
                    return work;
                  }));
      time.advance(ofSeconds(1));
      assertThat(work).isCancelled();
    }

    @Test
    void canceling_while_the_timer_is_created_cancels_the_timer() {
      List<CompletableFuture<String>> futures = new ArrayList<>();
      CompletableFuture<String> work = new CompletableFuture<>();
      TimeProvider cancelsWhileScheduling =
          new ForwardingTimeProvider(time) {
            @Override
            public Cancellable schedule(Runnable task, Duration delay) {
              Cancellable timer = super.schedule(task, delay);
              futures.getFirst().cancel(true);
              return timer;
            }
          };
      futures.add(retry().timeProvider(cancelsWhileScheduling).build().callAsync(() -> work));
      work.completeExceptionally(new IOException("no"));
      assertThat(futures.getFirst()).isCancelled();
      assertThat(time.pending()).isZero();
    }

    @Test
    void canceling_while_the_next_attempt_is_queued_prevents_it() {
      List<Runnable> queue = new ArrayList<>();
      CompletableFuture<String> future =
          retry().executor(queue::add).build().callAsync(() -> flaky(9));
      time.advance(ofSeconds(1));
      future.cancel(true);
      queue.getFirst().run();
      assertThat(attempts).hasValue(1);
    }

    /** The cancellation races with the timer, the executor and the stage. */
    @Test
    void canceling_at_any_time_completes_the_future_once_and_ends_the_attempts() throws Exception {
      Retry retry = Retry.of(RetryPolicy.fixed(Duration.ofMillis(1)).unlimitedRetries().build());
      List<AtomicInteger> attemptsMade = new ArrayList<>();
      List<Integer> attemptsAtCancel = new ArrayList<>();
      try (ExecutorService canceller = Executors.newSingleThreadExecutor()) {
        for (int round = 0; round < 300; round++) {
          AtomicInteger completions = new AtomicInteger();
          AtomicInteger attempts = new AtomicInteger();
          CyclicBarrier barrier = new CyclicBarrier(2);
          int cancelAt = 1 + round % 3;
          CompletableFuture<String> future =
              retry.callAsyncWithContext(
                  context -> {
                    attempts.incrementAndGet();
                    if (context.attempt() == cancelAt) {
                      await(barrier);
                    }
                    return CompletableFuture.failedFuture(new IOException("no"));
                  });
          CompletionStage<String> stage = future;
          stage.whenComplete((result, thrown) -> completions.incrementAndGet());
          canceller
              .submit(
                  () -> {
                    await(barrier);
                    future.cancel(true);
                  })
              .get();
          assertThat(future).as("round %d", round).isCancelled();
          assertThat(completions).as("round %d", round).hasValue(1);
          attemptsMade.add(attempts);
          attemptsAtCancel.add(attempts.get());
        }
      }
      for (int round = 0; round < attemptsMade.size(); round++) {
        // One attempt may have been starting when the future was canceled.
        int max = attemptsAtCancel.get(round) + 1;
        assertThat(attemptsMade.get(round)).as("round %d", round).hasValueLessThanOrEqualTo(max);
      }
    }

    private void await(CyclicBarrier barrier) {
      try {
        barrier.await();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void a_canceled_stage_cancels_the_call() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> future =
        retry().build().callAsync(() -> work.thenApply(text -> text));
    work.cancel(true);
    assertThat(future).isCancelled();
    assertThat(time.pending()).isZero();
  }
}

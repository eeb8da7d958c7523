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

  private final FakeTimeProvider waits = FakeTimeProvider.startingAt(Instant.EPOCH);
  private final AtomicInteger attempts = new AtomicInteger();

  private RetryBuilder retry() {
    return Retry.builder(POLICY).timeProvider(waits).executor(Runnable::run);
  }

  private CompletionStage<String> flaky(int failures) {
    return attempts.incrementAndGet() <= failures
        ? CompletableFuture.failedFuture(new IOException("no " + attempts.get()))
        : CompletableFuture.completedFuture("done");
  }

  @Test
  void tries_again_until_it_goes_well() {
    CompletableFuture<String> future = retry().build().callAsync(() -> flaky(2));
    waits.advance(ofSeconds(1));
    assertThat(future).isNotDone();
    waits.advance(ofSeconds(2));
    assertThat(future).isCompletedWithValue("done");
    assertThat(attempts).hasValue(3);
  }

  @Test
  void ends_with_the_last_failure_and_its_history() {
    CompletableFuture<String> future = retry().build().callAsync(() -> flaky(9));
    waits.advance(ofSeconds(7));
    assertThat(future.exceptionNow()).isInstanceOf(IOException.class).hasMessage("no 4");
    assertThat(future.exceptionNow().getSuppressed())
        .extracting(Throwable::getMessage)
        .containsExactly("no 1", "no 2", "no 3", "4 attempts in PT7S, stopped: EXHAUSTED");
  }

  @Test
  void the_context_tells_the_attempt_and_the_failure_before() {
    List<String> told = new ArrayList<>();
    CompletableFuture<String> future =
        retry()
            .build()
            .callAsyncWithContext(
                context -> {
                  told.add(
                      context.attempt()
                          + " "
                          + context.previousFailure().map(Throwable::getMessage).orElse("nothing"));
                  return flaky(2);
                });
    waits.advance(ofSeconds(9));
    assertThat(future).isCompletedWithValue("done");
    assertThat(told).containsExactly("0 nothing", "1 no 1", "2 no 2");
  }

  @Test
  void a_failure_wrapped_by_futures_is_seen_as_itself() {
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
    waits.advance(ofSeconds(9));
    assertThat(attempts).hasValue(4);
    assertThat(future.exceptionNow()).isInstanceOf(IOException.class).hasMessage("deep");
  }

  @Test
  void an_attempt_that_takes_too_long_is_cancelled_before_the_next_one() {
    List<CompletableFuture<String>> works = new ArrayList<>();
    CompletableFuture<String> future =
        Retry.builder(RetryPolicy.immediate().maxRetries(1).build())
            .timeProvider(waits)
            .executor(Runnable::run)
            .attemptTimeout(ofSeconds(5))
            .build()
            .callAsync(
                () -> {
                  assertThat(works).allMatch(CompletableFuture::isDone);
                  works.add(new CompletableFuture<>());
                  return works.getLast();
                });
    waits.advance(ofSeconds(10));
    assertThat(works).hasSize(2).allMatch(CompletableFuture::isCancelled);
    assertThat(future.exceptionNow()).isInstanceOf(AttemptTimeoutException.class);
    assertThat(waits.pending()).isZero();
  }

  @Test
  void an_attempt_in_time_takes_its_timer_with_it() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> future =
        retry().attemptTimeout(ofSeconds(5)).build().callAsync(() -> work);
    assertThat(waits.pending()).isEqualTo(1);
    work.complete("done");
    assertThat(future).isCompletedWithValue("done");
    assertThat(waits.pending()).isZero();
  }

  @Test
  void a_stage_that_ends_twice_counts_once() {
    CompletableFuture<String> future = retry().build().callAsync(EndsTwice::new);
    assertThat(waits.pending()).isEqualTo(1);
    waits.advance(ofSeconds(100));
    assertThat(RetrySummary.of(future.exceptionNow()).orElseThrow().attempts()).isEqualTo(4);
  }

  /** A CompletionException and its stack trace would be made for every failure, for nobody. */
  @Test
  void a_failure_is_heard_without_being_wrapped_for_nobody() {
    List<CompletableFuture<?>> derived = new ArrayList<>();
    CompletableFuture<String> future =
        Retry.builder(RetryPolicy.none()).build().callAsync(() -> new Derives(derived));

    assertThat(future).isCompletedExceptionally();
    assertThat(derived).hasSize(1).allSatisfy(each -> assertThat(each).isCompleted());
  }

  /** Has failed, and remembers the stages derived from it. */
  private static final class Derives extends CompletableFuture<String> {
    private final List<CompletableFuture<?>> derived;

    Derives(List<CompletableFuture<?>> derived) {
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

  private static final class EndsTwice extends CompletableFuture<String> {
    @Override
    public <U> CompletableFuture<U> handle(
        BiFunction<? super String, Throwable, ? extends U> action) {
      U unused = action.apply(null, new IOException("once"));

      return CompletableFuture.completedFuture(action.apply(null, new IOException("twice")));
    }
  }

  @Test
  void a_breaker_hears_of_a_supplier_that_throws() {
    List<String> heard = new ArrayList<>();
    CompletableFuture<String> future =
        Retry.builder(RetryPolicy.none())
            .circuitBreaker(recording(heard))
            .build()
            .callAsync(
                () -> {
                  throw new IllegalStateException("at once");
                });
    assertThat(future).isCompletedExceptionally();
    assertThat(heard).containsExactly("asked", "failed IllegalStateException");
  }

  @Test
  void a_breaker_hears_of_refused_results_and_of_cancelled_attempts() {
    List<String> heard = new ArrayList<>();
    Retry retry = retry().circuitBreaker(recording(heard)).retryOnResult("no"::equals).build();
    CompletableFuture<String> refused =
        retry.callAsync(() -> CompletableFuture.completedFuture("no"));
    refused.cancel(true);
    CompletableFuture<String> work = new CompletableFuture<>();
    retry.callAsync(() -> work).cancel(true);
    assertThat(heard)
        .containsExactly("asked", "failed RejectedResultException", "asked", "canceled");
    assertThat(work).isCancelled();
  }

  private static CircuitBreakerAdapter recording(List<String> heard) {
    return new CircuitBreakerAdapter() {
      @Override
      public boolean tryAcquirePermit() {
        return heard.add("asked");
      }

      @Override
      public void onSuccess(Duration took) {
        heard.add("succeeded");
      }

      @Override
      public void onFailure(Duration took, Throwable failure) {
        heard.add("failed " + failure.getClass().getSimpleName());
      }

      @Override
      public void releasePermit() {
        heard.add("canceled");
      }
    };
  }

  @Nested
  class WhenTheCallerEndsIt {

    @Test
    void by_completing_it_nothing_is_left_behind() {
      CompletableFuture<String> future = retry().build().callAsync(() -> flaky(9));
      future.complete("never mind");
      assertThat(waits.pending()).isZero();
      assertThat(future).isCompletedWithValue("never mind");
    }

    @Test
    void by_a_timeout_of_his_own_the_work_is_cancelled() {
      CompletableFuture<String> work = new CompletableFuture<>();
      CompletableFuture<String> future = retry().build().callAsync(() -> work);
      future.completeExceptionally(new TimeoutException("as orTimeout does"));
      assertThat(work).isCancelled();
      assertThat(future.exceptionNow()).isInstanceOf(TimeoutException.class);
    }

    @Test
    void in_the_middle_of_an_attempt_no_other_attempt_follows() {
      List<CompletableFuture<String>> held = new ArrayList<>();
      Retry retry = retry().build();
      held.add(
          retry.callAsync(
              () -> {
                if (attempts.incrementAndGet() == 2) {
                  held.getFirst().cancel(true);
                }
                return CompletableFuture.failedFuture(new IOException("no"));
              }));
      waits.advance(ofSeconds(100));
      assertThat(attempts).hasValue(2);
      assertThat(waits.pending()).isZero();
      assertThat(held.getFirst()).isCancelled();
    }

    @Test
    void while_an_attempt_is_being_started_its_stage_is_cancelled() {
      List<CompletableFuture<String>> held = new ArrayList<>();
      CompletableFuture<String> work = new CompletableFuture<>();
      held.add(
          retry()
              .build()
              .callAsync(
                  () -> {
                    if (attempts.incrementAndGet() == 1) {
                      return CompletableFuture.failedFuture(new IOException("no"));
                    }
                    held.getFirst().cancel(true);
                    return work;
                  }));
      waits.advance(ofSeconds(1));
      assertThat(work).isCancelled();
    }

    @Test
    void while_the_timer_is_being_asked_for_the_timer_is_called_off() {
      List<CompletableFuture<String>> held = new ArrayList<>();
      CompletableFuture<String> work = new CompletableFuture<>();
      TimeProvider impatient =
          new ForwardingTimeProvider(waits) {
            @Override
            public Cancellable schedule(Runnable task, Duration delay) {
              Cancellable timer = super.schedule(task, delay);
              held.getFirst().cancel(true);
              return timer;
            }
          };
      held.add(retry().timeProvider(impatient).build().callAsync(() -> work));
      work.completeExceptionally(new IOException("no"));
      assertThat(held.getFirst()).isCancelled();
      assertThat(waits.pending()).isZero();
    }

    @Test
    void while_the_executor_has_the_next_attempt_it_is_not_made() {
      List<Runnable> queue = new ArrayList<>();
      CompletableFuture<String> future =
          retry().executor(queue::add).build().callAsync(() -> flaky(9));
      waits.advance(ofSeconds(1));
      future.cancel(true);
      queue.getFirst().run();
      assertThat(attempts).hasValue(1);
    }

    /** The cancel meets the timer, the executor and the stage at every point. */
    @Test
    void at_whatever_moment_there_is_one_answer_and_no_attempt_after_it() throws Exception {
      Retry retry = Retry.of(RetryPolicy.fixed(Duration.ofMillis(1)).unlimitedRetries().build());
      List<AtomicInteger> made = new ArrayList<>();
      List<Integer> madeAtCancel = new ArrayList<>();
      try (ExecutorService canceller = Executors.newSingleThreadExecutor()) {
        for (int round = 0; round < 300; round++) {
          AtomicInteger answers = new AtomicInteger();
          AtomicInteger attempts = new AtomicInteger();
          CyclicBarrier meeting = new CyclicBarrier(2);
          int cancelAt = 1 + round % 3;
          CompletableFuture<String> future =
              retry.callAsyncWithContext(
                  context -> {
                    attempts.incrementAndGet();
                    if (context.attempt() == cancelAt) {
                      await(meeting);
                    }
                    return CompletableFuture.failedFuture(new IOException("no"));
                  });
          CompletionStage<String> stage = future;
          stage.whenComplete((result, thrown) -> answers.incrementAndGet());
          canceller
              .submit(
                  () -> {
                    await(meeting);
                    future.cancel(true);
                  })
              .get();
          assertThat(future).as("round %d", round).isCancelled();
          assertThat(answers).as("round %d", round).hasValue(1);
          made.add(attempts);
          madeAtCancel.add(attempts.get());
        }
      }
      for (int round = 0; round < made.size(); round++) {
        // One may have been on its way when the cancel came.
        int most = madeAtCancel.get(round) + 1;
        assertThat(made.get(round)).as("round %d", round).hasValueLessThanOrEqualTo(most);
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
  void a_cancelled_stage_ends_the_call_as_cancelled() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> future =
        retry().build().callAsync(() -> work.thenApply(text -> text));
    work.cancel(true);
    assertThat(future).isCancelled();
    assertThat(waits.pending()).isZero();
  }
}

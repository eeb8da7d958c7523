// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.FailedAttempt;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Hand-over of asynchronous calls, which must never happen on a thread that must not block. */
class DurableAsyncTest {

  private static final RetryPolicy POLICY =
      RetryPolicy.fixed(ofSeconds(4)).jitter(Jitter.none()).maxRetries(20).build();

  private final FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
  private final RecordingHandOverTarget engine = new RecordingHandOverTarget();
  private final Deque<Runnable> queue = new ArrayDeque<>();

  private DurableRetry durable(TimeProvider time, Executor executor) {
    return Retry.builder(POLICY)
        .timeProvider(time)
        .executor(executor)
        .build()
        .thenDurably(engine, "charge")
        .maxInProcessRetries(1);
  }

  private static CompletableFuture<String> fail(DurableContext context) {
    return CompletableFuture.failedFuture(new IOException("no " + context.attempt()));
  }

  private void runQueue() {
    for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
      next.run();
    }
  }

  @Test
  void a_call_that_keeps_failing_continues_as_a_task() {
    CompletableFuture<String> future =
        durable(time, Runnable::run).callAsync("order 7", DurableAsyncTest::fail);
    assertThat(future).isNotDone();
    time.advance(ofSeconds(4));

    assertThat(future.exceptionNow())
        .isInstanceOf(HandedOverException.class)
        .hasRootCauseMessage("no 1");
    assertThat(engine.only().failedAttempts())
        .extracting(FailedAttempt::delay)
        .containsExactly(ofSeconds(4), ofSeconds(4));
    assertThat(engine.only().payload()).isEqualTo("order 7");
  }

  /**
   * A hand-over writes to a database, and the thread that completes a stage may be a selector
   * thread.
   */
  @Test
  void hands_over_on_the_executor() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> future =
        durable(time, queue::add).maxInProcessRetries(0).callAsync("order 7", context -> work);

    work.completeExceptionally(new IOException("no"));
    assertThat(engine.received()).isEmpty();
    assertThat(future).isNotDone();
    runQueue();
    assertThat(engine.received()).hasSize(1);
    assertThat(future.exceptionNow()).isInstanceOf(HandedOverException.class);
  }

  @Test
  void hands_over_even_if_the_executor_is_shut_down() {
    Executor shutDown =
        task -> {
          throw new RejectedExecutionException("shut down");
        };
    CompletableFuture<String> future =
        durable(time, shutDown).callAsync("order 7", DurableAsyncTest::fail);
    time.advance(ofSeconds(4));

    assertThat(future.exceptionNow()).isInstanceOf(HandedOverException.class);
    assertThat(engine.only().failedAttempts()).hasSize(1);
    assertThat(engine.only().failedAttempts().getFirst().endedAgo()).isEqualTo(ofSeconds(4));
  }

  @Test
  void hands_over_even_if_the_timer_is_shut_down() {
    TimeProvider shutDown =
        new ForwardingTimeProvider(time) {
          @Override
          public Cancellable schedule(Runnable task, Duration delay) {
            throw new RejectedExecutionException("shut down");
          }
        };
    CompletableFuture<String> future =
        durable(shutDown, Runnable::run).callAsync("order 7", DurableAsyncTest::fail);

    assertThat(future.exceptionNow()).isInstanceOf(HandedOverException.class);
    assertThat(engine.only().failedAttempts()).hasSize(1);
  }

  @Test
  void a_canceled_call_is_not_handed_over() {
    CompletableFuture<String> waiting =
        durable(time, Runnable::run).callAsync("order 7", DurableAsyncTest::fail);
    waiting.cancel(true);
    time.advance(ofSeconds(100));
    CompletableFuture<String> queued =
        durable(time, queue::add)
            .maxInProcessRetries(0)
            .callAsync("order 8", DurableAsyncTest::fail);
    queued.cancel(true);
    runQueue();

    assertThat(engine.received()).isEmpty();
    assertThat(time.pending()).isZero();
  }

  @Test
  void a_failed_hand_over_fails_with_the_failure_of_the_call() {
    engine.failFromNow();
    CompletableFuture<String> future =
        durable(time, Runnable::run)
            .maxInProcessRetries(0)
            .callAsync("order 7", DurableAsyncTest::fail);

    assertThat(future.exceptionNow()).isInstanceOf(IOException.class).hasMessage("no 0");
    assertThat(future.exceptionNow().getSuppressed()[0]).hasMessage("no database");
  }

  @Test
  void a_rejected_result_is_handed_over() {
    DurableRetry retry =
        Retry.builder(POLICY)
            .timeProvider(time)
            .executor(Runnable::run)
            .retryOnResult("busy"::equals)
            .build()
            .thenDurably(engine, "charge")
            .maxInProcessRetries(0);
    CompletableFuture<String> future =
        retry.callAsync("order 7", context -> CompletableFuture.completedFuture("busy"));

    assertThat(future.exceptionNow()).isInstanceOf(HandedOverException.class).hasNoCause();
    assertThat(engine.received()).hasSize(1);
  }
}

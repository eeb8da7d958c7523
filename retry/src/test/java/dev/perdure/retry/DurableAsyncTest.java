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

/** Asynchronous calls are handed over like the others, and never on a thread that must not wait. */
class DurableAsyncTest {

  private static final RetryPolicy POLICY =
      RetryPolicy.fixed(ofSeconds(4)).jitter(Jitter.none()).maxRetries(20).build();

  private final FakeTimeProvider waits = FakeTimeProvider.startingAt(Instant.EPOCH);
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
  void what_does_not_get_well_goes_on_as_a_task() {
    CompletableFuture<String> future =
        durable(waits, Runnable::run).callAsync("order 7", DurableAsyncTest::fail);
    assertThat(future).isNotDone();
    waits.advance(ofSeconds(4));

    assertThat(future.exceptionNow())
        .isInstanceOf(HandedOverException.class)
        .hasRootCauseMessage("no 1");
    assertThat(engine.only().failedAttempts())
        .extracting(FailedAttempt::delay)
        .containsExactly(ofSeconds(4), ofSeconds(4));
    assertThat(engine.only().payload()).isEqualTo("order 7");
  }

  /** A hand-over writes to a database; what completes a stage may be a selector's thread. */
  @Test
  void it_is_handed_over_on_the_executor() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> future =
        durable(waits, queue::add).maxInProcessRetries(0).callAsync("order 7", context -> work);

    work.completeExceptionally(new IOException("no"));
    assertThat(engine.received()).isEmpty();
    assertThat(future).isNotDone();
    runQueue();
    assertThat(engine.received()).hasSize(1);
    assertThat(future.exceptionNow()).isInstanceOf(HandedOverException.class);
  }

  @Test
  void an_executor_that_takes_nothing_more_does_not_lose_it() {
    Executor shutDown =
        task -> {
          throw new RejectedExecutionException("shut down");
        };
    CompletableFuture<String> future =
        durable(waits, shutDown).callAsync("order 7", DurableAsyncTest::fail);
    waits.advance(ofSeconds(4));

    assertThat(future.exceptionNow()).isInstanceOf(HandedOverException.class);
    assertThat(engine.only().failedAttempts()).hasSize(1);
    assertThat(engine.only().failedAttempts().getFirst().endedAgo()).isEqualTo(ofSeconds(4));
  }

  @Test
  void a_timer_that_takes_nothing_more_does_not_lose_it() {
    TimeProvider shutDown =
        new ForwardingTimeProvider(waits) {
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
  void what_the_caller_cancels_is_not_handed_over() {
    CompletableFuture<String> waiting =
        durable(waits, Runnable::run).callAsync("order 7", DurableAsyncTest::fail);
    waiting.cancel(true);
    waits.advance(ofSeconds(100));
    CompletableFuture<String> queued =
        durable(waits, queue::add)
            .maxInProcessRetries(0)
            .callAsync("order 8", DurableAsyncTest::fail);
    queued.cancel(true);
    runQueue();

    assertThat(engine.received()).isEmpty();
    assertThat(waits.pending()).isZero();
  }

  @Test
  void when_nobody_takes_it_the_caller_gets_its_failure() {
    engine.failFromNow();
    CompletableFuture<String> future =
        durable(waits, Runnable::run)
            .maxInProcessRetries(0)
            .callAsync("order 7", DurableAsyncTest::fail);

    assertThat(future.exceptionNow()).isInstanceOf(IOException.class).hasMessage("no 0");
    assertThat(future.exceptionNow().getSuppressed()[0]).hasMessage("no database");
  }

  @Test
  void a_refused_result_is_handed_over_too() {
    DurableRetry retry =
        Retry.builder(POLICY)
            .timeProvider(waits)
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

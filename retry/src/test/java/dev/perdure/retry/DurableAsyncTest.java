// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.FailedAttempt;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.testing.FakeWaits;
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

  private final FakeWaits waits = FakeWaits.startingAt(Instant.EPOCH);
  private final Takeover engine = new Takeover();
  private final Deque<Runnable> queue = new ArrayDeque<>();

  private DurableRetry durable(Waits time, Executor executor) {
    return Retry.with(POLICY)
        .waits(time)
        .executor(executor)
        .build()
        .thenDurably(engine, "charge")
        .afterRetries(1);
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
    assertThat(engine.only().attempts())
        .extracting(FailedAttempt::delay)
        .containsExactly(ofSeconds(4), ofSeconds(4));
    assertThat(engine.only().payload()).isEqualTo("order 7");
  }

  /** A hand-over writes to a database; what completes a stage may be a selector's thread. */
  @Test
  void it_is_handed_over_on_the_executor() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> future =
        durable(waits, queue::add).afterRetries(0).callAsync("order 7", context -> work);

    work.completeExceptionally(new IOException("no"));
    assertThat(engine.taken()).isEmpty();
    assertThat(future).isNotDone();
    runQueue();
    assertThat(engine.taken()).hasSize(1);
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
    assertThat(engine.only().attempts()).hasSize(1);
    assertThat(engine.only().attempts().getFirst().endedAgo()).isEqualTo(ofSeconds(4));
  }

  @Test
  void a_timer_that_takes_nothing_more_does_not_lose_it() {
    Waits shutDown =
        new ForwardingWaits(waits) {
          @Override
          public Cancellable schedule(Runnable task, Duration delay) {
            throw new RejectedExecutionException("shut down");
          }
        };
    CompletableFuture<String> future =
        durable(shutDown, Runnable::run).callAsync("order 7", DurableAsyncTest::fail);

    assertThat(future.exceptionNow()).isInstanceOf(HandedOverException.class);
    assertThat(engine.only().attempts()).hasSize(1);
  }

  @Test
  void what_the_caller_cancels_is_not_handed_over() {
    CompletableFuture<String> waiting =
        durable(waits, Runnable::run).callAsync("order 7", DurableAsyncTest::fail);
    waiting.cancel(true);
    waits.advance(ofSeconds(100));
    CompletableFuture<String> queued =
        durable(waits, queue::add).afterRetries(0).callAsync("order 8", DurableAsyncTest::fail);
    queued.cancel(true);
    runQueue();

    assertThat(engine.taken()).isEmpty();
    assertThat(waits.pending()).isZero();
  }

  @Test
  void when_nobody_takes_it_the_caller_gets_its_failure() {
    engine.breakDown();
    CompletableFuture<String> future =
        durable(waits, Runnable::run).afterRetries(0).callAsync("order 7", DurableAsyncTest::fail);

    assertThat(future.exceptionNow()).isInstanceOf(IOException.class).hasMessage("no 0");
    assertThat(future.exceptionNow().getSuppressed()[0]).hasMessage("no database");
  }

  @Test
  void a_refused_result_is_handed_over_too() {
    DurableRetry retry =
        Retry.with(POLICY)
            .waits(waits)
            .executor(Runnable::run)
            .retryOnResult("busy"::equals)
            .build()
            .thenDurably(engine, "charge")
            .afterRetries(0);
    CompletableFuture<String> future =
        retry.callAsync("order 7", context -> CompletableFuture.completedFuture("busy"));

    assertThat(future.exceptionNow()).isInstanceOf(HandedOverException.class).hasNoCause();
    assertThat(engine.taken()).hasSize(1);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Stages that do not support isDone or cancel, such as minimal stages, and timers that cannot be
 * canceled.
 */
class CompletionStagesTest {

  private final FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
  private final AtomicInteger attempts = new AtomicInteger();
  private final CompletableFuture<String> work = new CompletableFuture<>();
  private final RetryPolicy once = RetryPolicy.fixed(ofSeconds(1)).maxRetries(1).build();

  private Retry timed(TimeProvider time) {
    return Retry.builder(once)
        .timeProvider(time)
        .executor(Runnable::run)
        .attemptTimeout(ofSeconds(5))
        .build();
  }

  private CompletionStage<String> minimal() {
    attempts.incrementAndGet();
    return work.minimalCompletionStage();
  }

  @Test
  void a_completed_minimal_stage_completes_the_call() {
    CompletableFuture<String> future =
        timed(time).callAsync(() -> CompletableFuture.completedStage("done"));
    assertThat(future).isCompletedWithValue("done");
    assertThat(time.pending()).isZero();
  }

  @Test
  void a_minimal_stage_may_complete_later() {
    CompletableFuture<String> future = timed(time).callAsync(this::minimal);
    work.complete("done");
    assertThat(future).isCompletedWithValue("done");
    assertThat(attempts).hasValue(1);
    assertThat(time.pending()).isZero();
  }

  @Test
  void a_stage_that_cannot_be_canceled_still_times_out() {
    CompletableFuture<String> future = timed(time).callAsync(this::minimal);
    time.advance(ofSeconds(60));
    assertThat(future.exceptionNow()).isInstanceOf(AttemptTimeoutException.class);
    assertThat(attempts).hasValue(2);
    assertThat(time.pending()).isZero();
  }

  @Test
  void a_future_can_be_canceled_even_if_its_stage_cannot() {
    CompletableFuture<String> future = Retry.of(once).callAsync(this::minimal);
    assertThat(future.cancel(true)).isTrue();
    work.completeExceptionally(new IOException("late"));
    assertThat(attempts).hasValue(1);
  }

  @Test
  void a_timer_that_cannot_be_canceled_does_not_delay_the_result() {
    TimeProvider notCancellable =
        new ForwardingTimeProvider(time) {
          @Override
          public Cancellable schedule(Runnable task, Duration delay) {
            return () -> {
              throw new IllegalStateException("cannot be canceled");
            };
          }
        };
    CompletableFuture<String> future = timed(notCancellable).callAsync(() -> work);
    work.complete("done");
    assertThat(future).isCompletedWithValue("done");
  }
}

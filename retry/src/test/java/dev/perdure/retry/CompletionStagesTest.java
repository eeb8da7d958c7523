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

/** Stages that refuse to be asked or cancelled, as a minimal one does, and timers that refuse. */
class CompletionStagesTest {

  private final FakeTimeProvider waits = FakeTimeProvider.startingAt(Instant.EPOCH);
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
  void a_minimal_stage_that_is_done_is_an_answer() {
    CompletableFuture<String> future =
        timed(waits).callAsync(() -> CompletableFuture.completedStage("done"));
    assertThat(future).isCompletedWithValue("done");
    assertThat(waits.pending()).isZero();
  }

  @Test
  void a_minimal_stage_may_take_its_time() {
    CompletableFuture<String> future = timed(waits).callAsync(this::minimal);
    work.complete("done");
    assertThat(future).isCompletedWithValue("done");
    assertThat(attempts).hasValue(1);
    assertThat(waits.pending()).isZero();
  }

  @Test
  void a_stage_that_cannot_be_cancelled_times_out_all_the_same() {
    CompletableFuture<String> future = timed(waits).callAsync(this::minimal);
    waits.advance(ofSeconds(60));
    assertThat(future.exceptionNow()).isInstanceOf(AttemptTimeoutException.class);
    assertThat(attempts).hasValue(2);
    assertThat(waits.pending()).isZero();
  }

  @Test
  void a_future_that_is_cancelled_ends_though_its_stage_cannot_be() {
    CompletableFuture<String> future = Retry.of(once).callAsync(this::minimal);
    assertThat(future.cancel(true)).isTrue();
    work.completeExceptionally(new IOException("late"));
    assertThat(attempts).hasValue(1);
  }

  @Test
  void a_timer_that_cannot_be_called_off_keeps_no_answer_back() {
    TimeProvider stubborn =
        new ForwardingTimeProvider(waits) {
          @Override
          public Cancellable schedule(Runnable task, Duration delay) {
            return () -> {
              throw new IllegalStateException("cannot be called off");
            };
          }
        };
    CompletableFuture<String> future = timed(stubborn).callAsync(() -> work);
    work.complete("done");
    assertThat(future).isCompletedWithValue("done");
  }
}

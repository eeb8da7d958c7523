// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AttemptInterrupterTest {

  private final FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
  private final AtomicInteger attempts = new AtomicInteger();
  private final Retry retry =
      Retry.builder(RetryPolicy.immediate().maxRetries(1).build())
          .attemptTimeout(ofSeconds(5))
          .timeProvider(time)
          .build();

  @AfterEach
  void clearInterrupt() {
    Thread.interrupted();
  }

  @Test
  void does_not_interrupt_an_attempt_that_ends_in_time() {
    retry.run(() -> time.advance(ofSeconds(4)));
    assertThat(time.pending()).isZero();
    time.advance(ofSeconds(9));
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void a_late_failure_is_a_timeout_caused_by_the_failure() {
    Throwable thrown =
        catchThrowable(
            () ->
                retry.run(
                    () -> {
                      attempts.incrementAndGet();
                      time.advance(ofSeconds(5));
                      throw new IOException("interrupted");
                    }));
    assertThat(thrown)
        .isInstanceOf(AttemptTimeoutException.class)
        .hasCauseInstanceOf(IOException.class);
    assertThat(attempts).hasValue(2);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void a_late_result_is_returned_and_the_interrupt_is_cleared() {
    assertThat(
            retry.<String, RuntimeException>call(
                () -> {
                  time.advance(ofSeconds(5));
                  return "late";
                }))
        .isEqualTo("late");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void a_late_error_is_not_a_timeout() {
    Throwable thrown =
        catchThrowable(
            () ->
                retry.run(
                    () -> {
                      attempts.incrementAndGet();
                      time.advance(ofSeconds(5));
                      throw new LinkageError("broken");
                    }));
    assertThat(thrown).isInstanceOf(LinkageError.class);
    assertThat(attempts).hasValue(1);
  }

  @Test
  void an_interrupt_from_outside_before_the_timeout_is_kept() {
    Throwable thrown =
        catchThrowable(
            () ->
                retry.run(
                    () -> {
                      attempts.incrementAndGet();
                      Thread.currentThread().interrupt();
                      time.advance(ofSeconds(5));
                      throw new IOException("interrupted");
                    }));
    assertThat(thrown).isInstanceOf(IOException.class);
    assertThat(RetrySummary.of(thrown).orElseThrow().reason()).isEqualTo(StopReason.INTERRUPTED);
    assertThat(attempts).hasValue(1);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void an_interrupt_from_before_the_call_is_kept() {
    Thread.currentThread().interrupt();
    assertThat(
            retry.<String, RuntimeException>call(
                () -> {
                  time.advance(ofSeconds(5));
                  return "done";
                }))
        .isEqualTo("done");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void a_call_that_restores_the_interrupt_flag_is_still_retried() {
    Throwable thrown =
        catchThrowable(
            () ->
                retry.run(
                    () -> {
                      attempts.incrementAndGet();
                      time.advance(ofSeconds(5));
                      assertThat(Thread.interrupted()).isTrue();
                      Thread.currentThread().interrupt();
                      throw new IllegalStateException("flag restored");
                    }));
    assertThat(thrown).isInstanceOf(AttemptTimeoutException.class);
    assertThat(attempts).hasValue(2);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /** The timer races with the end of the attempt many times; no interrupt escapes. */
  @Test
  void an_interrupt_never_escapes_from_the_attempt() {
    try (ExecutorService timer = Executors.newSingleThreadExecutor()) {
      for (int i = 0; i < 20_000; i++) {
        CountDownLatch ready = new CountDownLatch(1);
        AttemptInterrupter interrupter =
            new AttemptInterrupter(new RacingTimeProvider(time, timer, ready), ofSeconds(1));
        while (ready.getCount() > 0) {
          Thread.onSpinWait();
        }
        interrupter.end();
        assertThat(Thread.interrupted()).as("round %d", i).isFalse();
      }
    }
  }

  /** Fires on another thread when the attempt is about to end. */
  private static final class RacingTimeProvider extends ForwardingTimeProvider {
    private final ExecutorService timer;
    private final CountDownLatch ready;

    RacingTimeProvider(TimeProvider time, ExecutorService timer, CountDownLatch ready) {
      super(time);
      this.timer = timer;
      this.ready = ready;
    }

    @Override
    public Cancellable schedule(Runnable task, Duration delay) {
      timer.execute(
          () -> {
            ready.countDown();
            task.run();
          });
      return () -> {};
    }
  }
}

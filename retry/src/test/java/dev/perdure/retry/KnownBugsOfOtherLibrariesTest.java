// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
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
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Bugs found in other retry libraries. One more, a POST that is sent again after a 503, is covered
 * by {@code HttpRetryTest}.
 */
class KnownBugsOfOtherLibrariesTest {

  private final FakeTimeProvider time =
      FakeTimeProvider.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
  private final AtomicInteger attempts = new AtomicInteger();

  private RetryBuilder retry(RetryPolicy policy) {
    return Retry.builder(policy)
        .timeProvider(time)
        .random(new SplittableRandom(1))
        .executor(Runnable::run);
  }

  private Throwable failing(Retry retry) {
    return catchThrowable(
        () ->
            retry.run(
                () -> {
                  attempts.incrementAndGet();
                  throw new IOException("down");
                }));
  }

  @Test
  void delays_do_not_start_over_after_54_retries() {
    failing(
        retry(
                RetryPolicy.exponential(ofSeconds(1))
                    .maxDelay(ofSeconds(60))
                    .maxRetries(200)
                    .jitter(Jitter.none())
                    .build())
            .build());
    assertThat(time.sleeps()).hasSize(200).isSorted().last().isEqualTo(ofSeconds(60));
  }

  @Test
  void jitter_is_not_lost_at_the_cap() {
    failing(
        retry(
                RetryPolicy.exponential(ofMillis(500))
                    .maxDelay(ofSeconds(10))
                    .maxRetries(1_000)
                    .jitter(Jitter.spread(0.5))
                    .build())
            .build());
    assertThat(time.sleeps().subList(7, 1_000))
        .filteredOn(ofSeconds(10)::equals)
        .hasSizeLessThan(5);
  }

  @Test
  void a_supplier_that_throws_on_a_later_attempt_does_not_hang_the_future() {
    CompletableFuture<String> future =
        retry(RetryPolicy.fixed(ofSeconds(1)).maxRetries(2).build())
            .build()
            .callAsync(
                () -> {
                  if (attempts.incrementAndGet() >= 2) {
                    throw new IllegalStateException("thrown, not returned");
                  }
                  return CompletableFuture.failedFuture(new IOException("down"));
                });
    time.advance(ofSeconds(10));
    assertThat(attempts).hasValue(3);
    assertThat(future)
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .withMessage("thrown, not returned");
  }

  @Test
  void canceling_ends_the_attempts() {
    CompletableFuture<String> future =
        retry(RetryPolicy.fixed(ofMillis(20)).unlimitedRetries().build())
            .build()
            .callAsync(
                () -> {
                  attempts.incrementAndGet();
                  return CompletableFuture.failedFuture(new IOException("down"));
                });
    time.advance(ofMillis(50));
    int before = attempts.get();
    future.cancel(true);
    time.advance(ofSeconds(10));
    assertThat(attempts).hasValue(before);
  }

  @Test
  void a_time_limit_does_not_cause_a_burst_at_its_end() {
    Throwable thrown =
        failing(
            retry(RetryPolicy.fixed(ofMillis(400)).unlimitedRetries().jitter(Jitter.none()).build())
                .timeLimit(ofMillis(1000))
                .build());
    assertThat(attempts).hasValue(3);
    assertThat(time.sleeps()).containsExactly(ofMillis(400), ofMillis(400));
    assertThat(RetrySummary.of(thrown).orElseThrow().reason()).isEqualTo(StopReason.TIME_LIMIT);
  }

  @Test
  void jitter_does_not_shorten_retry_after() {
    RetryPolicy policy =
        RetryPolicy.exponential(ofSeconds(1)).maxRetries(500).jitter(Jitter.spread(1)).build();
    failing(
        retry(policy)
            .failureClassifier(
                thrown -> Failure.exception(thrown).withStatus(503).withRetryAfter(ofSeconds(30)))
            .build());
    assertThat(time.sleeps()).hasSize(500).containsOnly(ofSeconds(30));
  }

  @Test
  void a_delay_function_gets_no_jitter_and_no_negative_delay() {
    RetryPolicy policy =
        RetryPolicy.exponential(ofSeconds(9)).maxRetries(500).jitter(Jitter.spread(1)).build();
    Throwable thrown =
        failing(
            retry(policy)
                .delayFunction((attempt, failure) -> ofMillis(attempt % 2 == 0 ? 1 : -5))
                .build());
    assertThat(thrown).isInstanceOf(IOException.class);
    assertThat(time.sleeps()).hasSize(250).containsOnly(ofMillis(1));
    assertThat(attempts).hasValue(501);
  }

  @Test
  void an_interrupt_during_an_attempt_is_not_retried_and_not_lost() {
    Throwable thrown =
        catchThrowable(
            () ->
                retry(RetryPolicy.immediate().maxRetries(3).build())
                    .build()
                    .run(
                        () -> {
                          attempts.incrementAndGet();
                          throw new InterruptedException();
                        }));
    assertThat(thrown).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(attempts).hasValue(1);
  }

  @Test
  void an_out_of_memory_error_is_not_retried() {
    Throwable thrown =
        catchThrowable(
            () ->
                retry(RetryPolicy.immediate().maxRetries(3).build())
                    .build()
                    .run(
                        () -> {
                          attempts.incrementAndGet();
                          throw new OutOfMemoryError("not really");
                        }));
    assertThat(thrown).isInstanceOf(OutOfMemoryError.class);
    assertThat(attempts).hasValue(1);
  }

  @Test
  void delays_of_more_than_24_days_work() {
    failing(
        retry(RetryPolicy.fixed(ofDays(300)).maxRetries(50).jitter(Jitter.full()).build()).build());
    assertThat(time.sleeps()).hasSize(50).allMatch(delay -> delay.compareTo(ofDays(300)) <= 0);
    assertThat(time.sleeps()).anyMatch(delay -> delay.compareTo(ofDays(25)) > 0);
  }

  @Test
  void a_wall_clock_change_does_not_affect_a_time_limit() {
    List<Instant> steps =
        List.of(Instant.parse("2036-01-01T00:00:00Z"), Instant.parse("1970-01-01T00:00:00Z"));
    Throwable thrown =
        catchThrowable(
            () ->
                retry(
                        RetryPolicy.fixed(ofSeconds(1))
                            .unlimitedRetries()
                            .jitter(Jitter.none())
                            .build())
                    .timeLimit(ofSeconds(10))
                    .build()
                    .run(
                        () -> {
                          time.setWallClock(steps.get(attempts.getAndIncrement() % 2));
                          throw new IOException("down");
                        }));
    assertThat(attempts).hasValue(10);
    assertThat(RetrySummary.of(thrown).orElseThrow().elapsed()).isEqualTo(ofSeconds(9));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static dev.perdure.policy.FailureMatcher.exception;
import static dev.perdure.policy.FailureMatcher.serverErrors;
import static dev.perdure.policy.FailureMatcher.status;
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
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the requirements of the founding document on in-process retry, section by section. Section
 * 7, the idempotency key, is covered by {@code HttpRetryTest}, and the metrics of section 5 by
 * {@code RetryMetricsTest}.
 */
class FoundingDocumentTest {

  private final FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
  private final AtomicInteger attempts = new AtomicInteger();

  /** The response of a server: its status, and the delay that it asks for, if any. */
  private record Response(int status, @Nullable Duration retryAfter) {
    static @Nullable Failure classify(@Nullable Object result) {
      return result instanceof Response response && response.status() >= 400
          ? Failure.http(response.status()).withRetryAfter(response.retryAfter())
          : null;
    }
  }

  private RetryBuilder retry(RetryPolicy policy) {
    return Retry.builder(policy)
        .timeProvider(time)
        .random(new SplittableRandom(33))
        .resultClassifier(Response::classify);
  }

  private Response call(Retry retry, int status, @Nullable Duration retryAfter) {
    return retry.<Response, RuntimeException>call(
        () -> {
          attempts.incrementAndGet();
          return new Response(status, retryAfter);
        });
  }

  private Throwable failing(Retry retry, Exception thrown) {
    return catchThrowable(
        () ->
            retry.run(
                () -> {
                  attempts.incrementAndGet();
                  throw thrown;
                }));
  }

  @Nested
  class Section1Principles {

    @Test
    void linear_backoff_is_1_2_3_4_seconds() {
      failing(
          retry(RetryPolicy.linear(ofSeconds(1)).maxRetries(4).jitter(Jitter.none()).build())
              .build(),
          new IOException());
      assertThat(time.sleeps())
          .containsExactly(ofSeconds(1), ofSeconds(2), ofSeconds(3), ofSeconds(4));
    }

    @Test
    void exponential_backoff_is_1_2_4_8_seconds() {
      failing(
          retry(RetryPolicy.exponential(ofSeconds(1)).maxRetries(4).jitter(Jitter.none()).build())
              .build(),
          new IOException());
      assertThat(time.sleeps())
          .containsExactly(ofSeconds(1), ofSeconds(2), ofSeconds(4), ofSeconds(8));
    }

    @Test
    void jitter_of_half_spreads_to_both_sides() {
      failing(
          retry(
                  RetryPolicy.fixed(ofSeconds(2))
                      .maxRetries(1_000)
                      .jitter(Jitter.spread(0.5))
                      .build())
              .build(),
          new IOException());
      assertThat(time.sleeps())
          .allMatch(d -> d.compareTo(ofSeconds(1)) >= 0 && d.compareTo(ofSeconds(3)) <= 0)
          .anyMatch(d -> d.compareTo(ofMillis(1100)) < 0)
          .anyMatch(d -> d.compareTo(ofMillis(2900)) > 0);
    }
  }

  @Nested
  class Section2HttpPolicy {

    @Test
    void reports_the_attempt_the_delay_and_the_reason_of_each_retry() {
      List<String> log = new ArrayList<>();
      RetryListener logger =
          new RetryListener() {
            @Override
            public void onRetry(RetryEvent event) {
              log.add(
                  "retry %d after %d ms due to %d"
                      .formatted(
                          event.attempt() + 1, event.delay().toMillis(), event.failure().status()));
            }
          };
      call(retry(RetryPolicy.http()).listener(logger).build(), 503, ofSeconds(5));
      assertThat(log)
          .containsExactly(
              "retry 1 after 5000 ms due to 503",
              "retry 2 after 5000 ms due to 503",
              "retry 3 after 5000 ms due to 503",
              "retry 4 after 5000 ms due to 503");
    }
  }

  @Nested
  class Section3ByStatus {

    @ParameterizedTest
    @CsvSource({
      "429, 5", "503, 5", "504, 5", "408, 5", "500, 2", "502, 3", "507, 2", "400, 1", "401, 1",
      "403, 1", "404, 1", "409, 1", "422, 1", "418, 1", "200, 1"
    })
    void each_status_has_its_number_of_attempts(int status, int expected) {
      assertThat(call(retry(RetryPolicy.http()).build(), status, null).status()).isEqualTo(status);
      assertThat(attempts).hasValue(expected);
    }

    @ParameterizedTest
    @CsvSource({"429, 3000, 9000, 27000", "503, 2000, 4000, 8000"})
    void each_status_has_its_delays(int status, long first, long second, long third) {
      call(retry(RetryPolicy.http()).build(), status, null);
      List<Duration> sleeps = time.sleeps();
      assertThat(sleeps.get(0).toMillis()).isBetween(first * 3 / 4, first * 5 / 4);
      assertThat(sleeps.get(1).toMillis()).isBetween(second * 3 / 4, second * 5 / 4);
      assertThat(sleeps.get(2).toMillis()).isBetween(third * 3 / 4, third * 5 / 4);
    }

    @ParameterizedTest
    @CsvSource({"7, 7", "60, 60", "61, 60", "86400, 60"})
    void retry_after_is_honoured_up_to_a_minute(long requested, long expected) {
      call(retry(RetryPolicy.http()).build(), 429, ofSeconds(requested));
      assertThat(time.sleeps()).containsOnly(ofSeconds(expected));
    }
  }

  @Nested
  class Section4OtherThanHttp {

    @Test
    void retries_the_named_exceptions_and_not_the_excluded_ones() {
      Retry retry = retry(RetryPolicy.transientErrors()).build();
      failing(retry, new IOException());
      assertThat(attempts).hasValue(3);
      attempts.set(0);
      failing(retry, new TimeoutException());
      assertThat(attempts).hasValue(3);
      attempts.set(0);
      failing(retry, new IllegalArgumentException());
      assertThat(attempts).hasValue(1);
    }

    @Test
    void no_delay_exceeds_max_delay_even_with_jitter() {
      failing(
          retry(
                  RetryPolicy.exponential(ofSeconds(1))
                      .maxDelay(ofSeconds(30))
                      .maxRetries(100)
                      .jitter(Jitter.spread(0.5))
                      .build())
              .build(),
          new IOException());
      assertThat(time.sleeps()).allMatch(delay -> delay.compareTo(ofSeconds(30)) <= 0);
    }

    @Test
    void a_canceled_call_is_not_retried() {
      failing(retry(RetryPolicy.immediate().build()).build(), new CancellationException());
      assertThat(attempts).hasValue(1);
    }
  }

  @Nested
  class Section5Context {

    @Test
    void listeners_receive_the_actual_delay() {
      List<Duration> events = new ArrayList<>();
      RetryListener listener =
          new RetryListener() {
            @Override
            public void onRetry(RetryEvent event) {
              events.add(event.delay());
            }
          };
      failing(
          retry(RetryPolicy.exponential(ofSeconds(1)).maxRetries(9).build())
              .listener(listener)
              .build(),
          new IOException());
      assertThat(events).isEqualTo(time.sleeps()).hasSize(9);
    }
  }

  @Nested
  class Section6Strategy {

    private final RetryPolicy policy =
        RetryPolicy.exponential(ofSeconds(1))
            .maxRetries(3)
            .jitter(Jitter.none())
            .retryOn(status(429), serverErrors(), exception(IOException.class))
            .build();

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503, 504, 599})
    void results_are_retried_by_status(int status) {
      call(retry(policy).build(), status, null);
      assertThat(attempts).hasValue(4);
    }

    @Test
    void a_delay_function_can_defer_to_the_backoff() {
      call(
          retry(policy)
              .delayFunction((attempt, failure) -> attempt == 1 ? ofMillis(42) : null)
              .build(),
          503,
          null);
      assertThat(time.sleeps()).containsExactly(ofSeconds(1), ofMillis(42), ofSeconds(4));
    }
  }

  @Nested
  class Section8Tests {

    private final RetryPolicy policy =
        RetryPolicy.immediate().maxRetries(3).retryOn(exception(IOException.class)).build();

    @Test
    void should_retry_on_transient_error() throws IOException {
      String result =
          Retry.of(policy)
              .call(
                  () -> {
                    if (attempts.incrementAndGet() < 3) {
                      throw new IOException("transient");
                    }
                    return "success";
                  });
      assertThat(result).isEqualTo("success");
      assertThat(attempts).hasValue(3);
    }

    @Test
    void should_not_retry_on_non_transient_error() {
      Throwable thrown = failing(Retry.of(policy), new IllegalStateException("non-transient"));
      assertThat(thrown).isInstanceOf(IllegalStateException.class);
      assertThat(attempts).hasValue(1);
    }

    @Test
    void should_respect_retry_after() {
      Response response =
          retry(RetryPolicy.http())
              .build()
              .<Response, RuntimeException>call(
                  () ->
                      attempts.incrementAndGet() == 1
                          ? new Response(429, ofSeconds(1))
                          : new Response(200, null));
      assertThat(response.status()).isEqualTo(200);
      assertThat(time.sleeps()).containsExactly(ofSeconds(1));
    }
  }
}

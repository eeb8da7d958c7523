// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.DecisionAssertions.givesUp;
import static dev.perdure.policy.DecisionAssertions.retriesAfter;
import static dev.perdure.policy.DecisionAssertions.retriesWithin;
import static dev.perdure.policy.GiveUpReason.EXHAUSTED;
import static dev.perdure.policy.GiveUpReason.NOT_RETRYABLE;
import static dev.perdure.policy.GiveUpReason.NO_POLICY;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PresetsTest {

  private static final List<String> UNREACHABLE =
      Failure.exception(new ConnectException()).exceptionTypes();

  /**
   * Asserts that the policy retries the failure this many times with these base delays, each spread
   * by a quarter.
   */
  private static void retries(RetryPolicy policy, Failure failure, int times, int... seconds) {
    for (int n = 0; n < times; n++) {
      long base = seconds[n] * 1_000L;
      retriesWithin(
          policy,
          DecisionContext.attempt(n),
          failure,
          ofMillis(base / 4 * 3),
          ofMillis(base / 4 * 5));
    }
    givesUp(policy, DecisionContext.attempt(times), failure, EXHAUSTED);
  }

  @Nested
  class Http {

    private final RetryPolicy http = RetryPolicy.http();

    @ParameterizedTest
    @ValueSource(ints = {503, 504, 408})
    void retries_temporary_errors_four_times(int status) {
      retries(http, Failure.http(status), 4, 2, 4, 8, 16);
    }

    @Test
    void backs_off_more_after_too_many_requests() {
      retries(http, Failure.http(429), 4, 3, 9, 27, 81);
    }

    @Test
    void retries_a_bad_gateway_twice() {
      retries(http, Failure.http(502), 2, 2, 4);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 501, 505, 599})
    void retries_other_server_errors_once(int status) {
      retries(http, Failure.http(status), 1, 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404, 409, 499, 200, 302, 600})
    void never_retries_other_statuses(int status) {
      givesUp(http, DecisionContext.attempt(0), Failure.http(status), NOT_RETRYABLE);
    }

    @Test
    void retries_timeouts_and_broken_connections() {
      retries(http, Failure.timeout(), 4, 2, 4, 8, 16);
      retries(http, Failure.exception(new IOException()), 4, 2, 4, 8, 16);
      retries(http, Failure.exception(new FileNotFoundException()), 4, 2, 4, 8, 16);
      givesUp(
          http,
          DecisionContext.attempt(0),
          Failure.exception(new RuntimeException()),
          NOT_RETRYABLE);
    }

    @Test
    void treats_a_failed_webhook_the_same() {
      Failure start = Failure.of(FailureKind.WEBHOOK_FAILURE);

      retries(http, start.withStatus(503), 4, 2, 4, 8, 16);
      retries(http, start.withStatus(502), 2, 2, 4);
      givesUp(http, DecisionContext.attempt(0), start.withStatus(404), NOT_RETRYABLE);
      retries(http, start.withExceptionTypes(UNREACHABLE), 4, 2, 4, 8, 16);
    }

    @Test
    void treats_a_broken_connection_that_a_worker_reports_the_same() {
      retries(http, Failure.explicit("down").withExceptionTypes(UNREACHABLE), 4, 2, 4, 8, 16);
    }

    @Test
    void honours_retry_after_up_to_a_minute() {
      Failure slow = Failure.http(429);

      retriesAfter(
          http, DecisionContext.attempt(0), slow.withRetryAfter(ofSeconds(60)), ofSeconds(60));
      retriesAfter(
          http, DecisionContext.attempt(0), slow.withRetryAfter(ofSeconds(61)), ofSeconds(60));
    }
  }

  @Nested
  class Queue {

    @Test
    void retries_everything_three_times() {
      for (Failure failure : List.of(Failure.timeout(), Failure.http(404), Failure.explicit("x"))) {
        retries(RetryPolicy.queue(), failure, 3, 1, 2, 4);
      }
    }

    @Test
    void can_retry_more_often_with_delays_up_to_a_minute() {
      RetryPolicy ten = RetryPolicy.queue(10);

      retriesWithin(
          ten, DecisionContext.attempt(5), Failure.timeout(), ofSeconds(24), ofSeconds(40));
      retriesWithin(
          ten, DecisionContext.attempt(6), Failure.timeout(), ofSeconds(45), ofSeconds(60));
      retriesWithin(
          ten, DecisionContext.attempt(9), Failure.timeout(), ofSeconds(45), ofSeconds(60));
      givesUp(ten, DecisionContext.attempt(10), Failure.timeout(), EXHAUSTED);
    }

    @Test
    void can_retry_without_a_limit() {
      retriesWithin(
          RetryPolicy.queueUnlimited(),
          DecisionContext.attempt(1L << 31),
          Failure.timeout(),
          ofSeconds(45),
          ofSeconds(60));
    }

    @Test
    void without_retries_is_no_policy() {
      givesUp(RetryPolicy.queue(0), DecisionContext.attempt(0), Failure.timeout(), NO_POLICY);
    }
  }

  @Nested
  class Transient {

    private final RetryPolicy policy = RetryPolicy.transientErrors();

    private void retriesTwice(Failure failure) {
      retriesWithin(policy, DecisionContext.attempt(0), failure, ofMillis(1_000), ofMillis(1_500));
      retriesWithin(policy, DecisionContext.attempt(1), failure, ofSeconds(2), ofSeconds(3));
      givesUp(policy, DecisionContext.attempt(2), failure, EXHAUSTED);
    }

    @Test
    void retries_transient_errors_twice() {
      retriesTwice(Failure.timeout());
      retriesTwice(Failure.exception(new IOException()));
      retriesTwice(Failure.exception(new FileNotFoundException()));
      retriesTwice(Failure.exception(new TimeoutException()));
      retriesTwice(Failure.of(FailureKind.WEBHOOK_FAILURE).withExceptionTypes(UNREACHABLE));
      retriesTwice(Failure.explicit("down").withExceptionTypes(UNREACHABLE));
    }

    @Test
    void never_retries_programming_errors_or_anything_else() {
      for (Throwable thrown :
          List.of(
              new IllegalArgumentException(),
              new NumberFormatException(),
              new IllegalStateException(),
              new SecurityException(),
              new UncheckedIOException(new IOException()),
              new OutOfMemoryError())) {
        givesUp(policy, DecisionContext.attempt(0), Failure.exception(thrown), NOT_RETRYABLE);
      }
      givesUp(policy, DecisionContext.attempt(0), Failure.http(503), NOT_RETRYABLE);
      givesUp(policy, DecisionContext.attempt(0), Failure.explicit("busy"), NOT_RETRYABLE);
    }

    @ParameterizedTest
    @CsvSource({
      "java.lang.IllegalArgumentException",
      "java.lang.IllegalStateException",
      "java.lang.SecurityException",
    })
    void never_retries_a_programming_error_that_timed_out(String exceptionType) {
      givesUp(
          policy,
          DecisionContext.attempt(0),
          Failure.timeout().withExceptionTypes(List.of("a.Late", exceptionType)),
          NOT_RETRYABLE);
    }

    @Test
    void waits_at_most_30_seconds() {
      PolicyDraft draft = PolicyDraft.from(policy);
      draft.maxRetries(RetryLimit.noLimit());

      retriesAfter(
          draft.build(new FieldErrors()),
          DecisionContext.attempt(5),
          Failure.timeout(),
          ofSeconds(30));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.micrometer;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.Retry;
import dev.perdure.retry.RetryBuilder;
import dev.perdure.retry.RetryListener;
import dev.perdure.retry.RetryListener.RetryEvent;
import dev.perdure.retry.testing.FakeTimeProvider;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetryMetricsTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final RetryMetrics metrics = RetryMetrics.of(registry);

  private RetryBuilder retry(int retries) {
    return Retry.builder(
            RetryPolicy.fixed(ofMillis(250)).maxRetries(retries).jitter(Jitter.none()).build())
        .named("billing")
        .timeProvider(FakeTimeProvider.startingAt(Instant.EPOCH))
        .listener(metrics);
  }

  private double attempts(String outcome, String reason) {
    return registry
        .get("retry.attempts")
        .tags("operation", "billing", "outcome", outcome, "reason", reason)
        .counter()
        .count();
  }

  private double allAttempts() {
    return registry.get("retry.attempts").counters().stream().mapToDouble(Counter::count).sum();
  }

  private DistributionSummary delay(String attempt) {
    return registry.get("retry.delay").tags("operation", "billing", "attempt", attempt).summary();
  }

  private void fail(Retry retry, Exception thrown) {
    assertThat(
            catchThrowable(
                () ->
                    retry.run(
                        () -> {
                          throw thrown;
                        })))
        .isSameAs(thrown);
  }

  @Test
  void counts_every_attempt_of_a_call_that_succeeds() throws IOException {
    AtomicInteger calls = new AtomicInteger();

    retry(3)
        .build()
        .run(
            () -> {
              if (calls.incrementAndGet() < 3) {
                throw new IOException("no");
              }
            });

    assertThat(attempts("retry", "IOException")).isEqualTo(2);
    assertThat(attempts("success", "none")).isEqualTo(1);
    assertThat(allAttempts()).isEqualTo(3);
  }

  @Test
  void counts_the_last_attempt_by_the_reason_why_it_is_not_retried() {
    fail(retry(3).build(), new IOException("no"));

    assertThat(attempts("retry", "IOException")).isEqualTo(3);
    assertThat(attempts("exhausted", "IOException")).isEqualTo(1);
    assertThat(allAttempts()).isEqualTo(4);
  }

  @Test
  void counts_a_failure_that_is_not_retried() {
    fail(retry(3).retryIf(thrown -> false).build(), new IOException("no"));

    assertThat(attempts("not_retryable", "IOException")).isEqualTo(1);
    assertThat(allAttempts()).isEqualTo(1);
  }

  @Test
  void counts_an_attempt_once_if_the_call_is_interrupted_while_it_waits() {
    IOException thrown = new IOException("no");
    Retry interrupted =
        retry(3)
            .listener(
                new RetryListener() {
                  @Override
                  public void onRetry(RetryEvent event) {
                    Thread.currentThread().interrupt();
                  }
                })
            .build();

    fail(interrupted, thrown);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(attempts("retry", "IOException")).isEqualTo(1);
    assertThat(allAttempts()).isEqualTo(1);
  }

  @Test
  void counts_the_interrupted_attempt() {
    fail(retry(3).build(), new InterruptedException());

    assertThat(Thread.interrupted()).isTrue();
    assertThat(attempts("interrupted", "InterruptedException")).isEqualTo(1);
    assertThat(allAttempts()).isEqualTo(1);
  }

  @Test
  void counts_by_the_status_of_a_rejected_result() {
    retry(2).resultClassifier(result -> Failure.http(503)).build().run(() -> {});
    assertThat(attempts("retry", "503")).isEqualTo(2);
    assertThat(attempts("exhausted", "503")).isEqualTo(1);
  }

  @Test
  void counts_other_failures_as_unknown() {
    retry(1).retryOnResult(any -> true).build().run(() -> {});
    assertThat(attempts("retry", "Unknown")).isEqualTo(1);
  }

  private static final class Nested extends Exception {}

  @Test
  void a_nested_class_is_counted_by_its_simple_name() {
    fail(retry(1).build(), new Nested());
    assertThat(attempts("retry", "Nested")).isEqualTo(1);
  }

  @Test
  void records_the_delays_in_seconds_by_retry() {
    fail(retry(12).build(), new IOException("no"));
    assertThat(delay("1").count()).isEqualTo(1);
    assertThat(delay("1").totalAmount()).isCloseTo(0.25, within(1e-9));
    assertThat(delay("1").getId().getBaseUnit()).isEqualTo("seconds");
    assertThat(delay("2").count()).isEqualTo(1);
    assertThat(delay("3").count()).isEqualTo(1);
    assertThat(delay("4-9").count()).isEqualTo(6);
    assertThat(delay("10+").count()).isEqualTo(3);
  }

  @Test
  void limits_the_values_of_labels() {
    for (int i = 0; i < 1_000; i++) {
      Failure failure = Failure.http(503).withExceptionTypes(List.of("app.Failure" + i));
      metrics.onRetry(new RetryEvent("operation " + i, 0, failure, ofMillis(1)));
    }
    assertThat(
            registry.getMeters().stream()
                .map(Meter::getId)
                .map(id -> id.getTag("operation"))
                .distinct())
        .hasSize(RetryMetrics.MAX_LABEL_VALUES + 1)
        .contains("operation 0", "other");
    assertThat(registry.find("retry.attempts").meters()).hasSize(RetryMetrics.MAX_LABEL_VALUES + 1);
    assertThat(
            registry
                .get("retry.attempts")
                .tags("operation", "other", "reason", "other")
                .counter()
                .count())
        .isEqualTo(900);
  }

  @Test
  void a_success_has_no_reason_however_many_reasons_there_are() {
    for (int i = 0; i < RetryMetrics.MAX_LABEL_VALUES; i++) {
      Failure failure = Failure.http(503).withExceptionTypes(List.of("app.Failure" + i));
      metrics.onRetry(new RetryEvent("billing", 0, failure, ofMillis(1)));
    }
    retry(1).build().run(() -> {});

    assertThat(attempts("success", "none")).isEqualTo(1);
  }
}

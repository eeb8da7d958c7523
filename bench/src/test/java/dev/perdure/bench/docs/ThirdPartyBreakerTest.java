// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.failsafe.CircuitBreaker;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.CircuitBreakerAdapter;
import dev.perdure.retry.CircuitOpenException;
import dev.perdure.retry.Retry;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks the circuit breaker adapters that the guides show. */
class ThirdPartyBreakerTest {

  private final AtomicInteger attempts = new AtomicInteger();

  @AfterEach
  void clearInterrupt() {
    Thread.interrupted();
  }

  private void call(CircuitBreakerAdapter adapter, Exception failure) {
    Retry retry =
        Retry.builder(RetryPolicy.immediate().maxRetries(5).build())
            .circuitBreaker(adapter)
            .build();
    assertThatThrownBy(
            () ->
                retry.run(
                    () -> {
                      attempts.incrementAndGet();
                      throw failure;
                    }))
        .isInstanceOfAny(failure.getClass(), CircuitOpenException.class);
  }

  private static io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j() {
    return io.github.resilience4j.circuitbreaker.CircuitBreaker.of(
        "billing",
        CircuitBreakerConfig.custom()
            .slidingWindowSize(2)
            .minimumNumberOfCalls(2)
            .permittedNumberOfCallsInHalfOpenState(1)
            .build());
  }

  private static CircuitBreaker<Object> failsafe() {
    return CircuitBreaker.builder()
        .withFailureThreshold(2)
        .withDelay(Duration.ofHours(1))
        .withSuccessThreshold(1)
        .build();
  }

  @Test
  void a_resilience4j_breaker_opens_and_prevents_attempts() {
    call(MigrationGuideSnippets.resilience4jBreaker(resilience4j()), new IOException("down"));
    assertThat(attempts).hasValue(2);
  }

  @Test
  void an_interrupted_attempt_releases_its_resilience4j_permit() {
    io.github.resilience4j.circuitbreaker.CircuitBreaker breaker = resilience4j();
    breaker.transitionToOpenState();
    breaker.transitionToHalfOpenState();
    call(MigrationGuideSnippets.resilience4jBreaker(breaker), new InterruptedException());
    assertThat(attempts).hasValue(1);
    assertThat(breaker.tryAcquirePermission()).isTrue();
  }

  @Test
  void a_failsafe_breaker_opens_and_reports_the_remaining_time() {
    CircuitBreaker<Object> breaker = failsafe();
    CircuitBreakerAdapter adapter = MigrationGuideSnippets.failsafeBreaker(breaker);
    for (int i = 0; i < 2; i++) {
      adapter.onFailure(Duration.ZERO, new IOException("down"));
    }
    assertThat(adapter.tryAcquirePermit()).isFalse();
    assertThat(adapter.remainingOpenTime().orElseThrow()).isGreaterThan(Duration.ofMinutes(59));
  }

  @Test
  void a_failsafe_breaker_does_not_stay_half_open_after_an_interrupted_attempt() {
    CircuitBreaker<Object> breaker = failsafe();
    breaker.halfOpen();
    call(MigrationGuideSnippets.failsafeBreaker(breaker), new InterruptedException());
    assertThat(breaker.isHalfOpen()).isFalse();
  }
}

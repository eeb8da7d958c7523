// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.policy.RetryPolicy;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An interrupt or a cancellation says nothing about the service, so the breaker must not count it.
 */
class CircuitPermitTest {

  private final List<String> events = new ArrayList<>();
  private final Retry retry =
      Retry.builder(RetryPolicy.immediate().maxRetries(1).build())
          .circuitBreaker(new RecordingCircuitBreaker())
          .build();

  private final class RecordingCircuitBreaker implements CircuitBreakerAdapter {
    @Override
    public boolean tryAcquirePermit() {
      return true;
    }

    @Override
    public void onFailure(Duration took, Throwable failure) {
      events.add("failed");
    }

    @Override
    public void releasePermit() {
      events.add("canceled");
    }
  }

  @AfterEach
  void clearInterrupt() {
    Thread.interrupted();
  }

  static Stream<Exception> interruptExceptions() {
    return Stream.of(
        new InterruptedException(),
        new ClosedByInterruptException(),
        new InterruptedIOException("interrupted"),
        new IllegalStateException("wrapped", new InterruptedException()));
  }

  @ParameterizedTest
  @MethodSource("interruptExceptions")
  void an_interrupted_attempt_is_not_a_failure_of_the_service(Exception exception) {
    assertThatThrownBy(
            () ->
                retry.run(
                    () -> {
                      Thread.currentThread().interrupt();
                      throw exception;
                    }))
        .isSameAs(exception);
    assertThat(events).containsExactly("canceled");
  }

  static Stream<Exception> cancellations() {
    return Stream.of(
        new CancellationException(), new CompletionException(new CancellationException()));
  }

  @ParameterizedTest
  @MethodSource("cancellations")
  void a_canceled_attempt_is_not_a_failure_of_the_service(Exception cancellation) {
    assertThatThrownBy(
            () ->
                retry.run(
                    () -> {
                      throw cancellation;
                    }))
        .isSameAs(cancellation);
    assertThat(retry.callAsync(() -> CompletableFuture.failedFuture(cancellation)))
        .isCompletedExceptionally();
    assertThat(events).containsExactly("canceled", "canceled");
  }

  @Test
  void any_other_failure_is_a_failure_of_the_service() {
    assertThatThrownBy(
            () ->
                retry.run(
                    () -> {
                      throw new IOException("down");
                    }))
        .hasMessage("down");
    assertThat(events).containsExactly("failed", "failed");
  }
}

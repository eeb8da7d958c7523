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

/** An interrupt or a cancel says nothing about the service, so no breaker may count it. */
class CircuitPermitTest {

  private final List<String> heard = new ArrayList<>();
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
      heard.add("failed");
    }

    @Override
    public void releasePermit() {
      heard.add("canceled");
    }
  }

  @AfterEach
  void leaveNoInterruptBehind() {
    Thread.interrupted();
  }

  static Stream<Exception> marksOfAnInterrupt() {
    return Stream.of(
        new InterruptedException(),
        new ClosedByInterruptException(),
        new InterruptedIOException("interrupted"),
        new IllegalStateException("wrapped", new InterruptedException()));
  }

  @ParameterizedTest
  @MethodSource("marksOfAnInterrupt")
  void an_interrupted_attempt_is_no_failure_of_the_service(Exception mark) {
    assertThatThrownBy(
            () ->
                retry.run(
                    () -> {
                      Thread.currentThread().interrupt();
                      throw mark;
                    }))
        .isSameAs(mark);
    assertThat(heard).containsExactly("canceled");
  }

  static Stream<Exception> cancellations() {
    return Stream.of(
        new CancellationException(), new CompletionException(new CancellationException()));
  }

  @ParameterizedTest
  @MethodSource("cancellations")
  void a_cancelled_attempt_is_no_failure_of_the_service(Exception cancellation) {
    assertThatThrownBy(
            () ->
                retry.run(
                    () -> {
                      throw cancellation;
                    }))
        .isSameAs(cancellation);
    assertThat(retry.callAsync(() -> CompletableFuture.failedFuture(cancellation)))
        .isCompletedExceptionally();
    assertThat(heard).containsExactly("canceled", "canceled");
  }

  @Test
  void an_ordinary_failure_is_one() {
    assertThatThrownBy(
            () ->
                retry.run(
                    () -> {
                      throw new IOException("down");
                    }))
        .hasMessage("down");
    assertThat(heard).containsExactly("failed", "failed");
  }
}

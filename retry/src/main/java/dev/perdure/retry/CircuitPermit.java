// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a breaker gave for one attempt; it is told once how the attempt ended. */
final class CircuitPermit {

  /** The permit of those who have no breaker, or were not let through. */
  static final CircuitPermit NONE = new CircuitPermit(null, TimeProvider.system(), 0);

  private final @Nullable CircuitBreakerAdapter circuitBreaker;
  private final TimeProvider timeProvider;
  private final long startedAt;

  private CircuitPermit(
      @Nullable CircuitBreakerAdapter circuitBreakerAdapter,
      TimeProvider timeProvider,
      long begunAt) {
    this.circuitBreaker = circuitBreakerAdapter;
    this.timeProvider = timeProvider;
    this.startedAt = begunAt;
  }

  static CircuitPermit acquire(RetryConfig retryConfig) {
    CircuitBreakerAdapter circuitBreakerAdapter = retryConfig.limits().circuitBreaker();
    if (circuitBreakerAdapter == null) {
      return NONE;
    }
    if (!circuitBreakerAdapter.tryAcquirePermit()) {
      throw new CircuitOpenException(circuitBreakerAdapter.remainingOpenTime().orElse(null));
    }
    return new CircuitPermit(
        circuitBreakerAdapter, retryConfig.timeProvider(), retryConfig.timeProvider().nanoTime());
  }

  void succeeded() {
    notifyBreaker(told -> told.onSuccess(took()));
  }

  void resultRejected(Failure fault) {
    notifyBreaker(told -> told.onFailure(took(), new RejectedResultException(fault)));
  }

  void failed(Throwable thrown) {
    Throwable inner = ExceptionUnwrapper.unwrap(thrown);
    if (inner instanceof InterruptedException
        || inner instanceof ClosedByInterruptException
        || inner instanceof CancellationException) {
      canceled();
    } else {
      notifyBreaker(told -> told.onFailure(took(), thrown));
    }
  }

  void canceled() {
    notifyBreaker(CircuitBreakerAdapter::releasePermit);
  }

  private Duration took() {
    return Duration.ofNanos(Math.max(0, timeProvider.nanoTime() - startedAt));
  }

  /** An attempt that went well must not be made again because a breaker cannot count. */
  private void notifyBreaker(Consumer<CircuitBreakerAdapter> event) {
    if (circuitBreaker == null) {
      return;
    }
    try {
      event.accept(circuitBreaker);
    } catch (Throwable e) {
      RetryLog.warn("a breaker threw when it was told of an attempt", e);
    }
  }
}

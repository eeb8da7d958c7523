// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The permit of a circuit breaker for one attempt. It reports the end of the attempt once. */
final class CircuitPermit {

  /** The permit without a breaker, or of an attempt that the breaker did not allow. */
  static final CircuitPermit NONE = new CircuitPermit(null, TimeProvider.system(), 0);

  private final @Nullable CircuitBreakerAdapter circuitBreaker;
  private final TimeProvider timeProvider;
  private final long startedAt;

  private CircuitPermit(
      @Nullable CircuitBreakerAdapter circuitBreaker, TimeProvider timeProvider, long startedAt) {
    this.circuitBreaker = circuitBreaker;
    this.timeProvider = timeProvider;
    this.startedAt = startedAt;
  }

  static CircuitPermit acquire(RetryConfig config) {
    CircuitBreakerAdapter circuitBreaker = config.circuitBreaker();
    if (circuitBreaker == null) {
      return NONE;
    }
    if (!circuitBreaker.tryAcquirePermit()) {
      throw new CircuitOpenException(circuitBreaker.remainingOpenTime().orElse(null));
    }
    return new CircuitPermit(
        circuitBreaker, config.timeProvider(), config.timeProvider().nanoTime());
  }

  void succeeded() {
    notifyBreaker(breaker -> breaker.onSuccess(took()));
  }

  void resultRejected(Failure failure) {
    notifyBreaker(breaker -> breaker.onFailure(took(), new RejectedResultException(failure)));
  }

  void failed(Throwable thrown) {
    Throwable inner = ExceptionUnwrapper.unwrap(thrown);
    if (inner instanceof InterruptedException
        || inner instanceof ClosedByInterruptException
        || inner instanceof CancellationException) {
      canceled();
    } else {
      notifyBreaker(breaker -> breaker.onFailure(took(), thrown));
    }
  }

  void canceled() {
    notifyBreaker(CircuitBreakerAdapter::releasePermit);
  }

  private Duration took() {
    return Duration.ofNanos(Math.max(0, timeProvider.nanoTime() - startedAt));
  }

  /** A breaker that throws must not make a successful attempt be repeated. */
  private void notifyBreaker(Consumer<CircuitBreakerAdapter> event) {
    if (circuitBreaker == null) {
      return;
    }
    try {
      event.accept(circuitBreaker);
    } catch (Throwable e) {
      RetryLog.warn("A circuit breaker threw an exception when it was notified of an attempt", e);
    }
  }
}

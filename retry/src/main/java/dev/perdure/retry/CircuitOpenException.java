// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown when an open circuit breaker prevented an attempt. */
public final class CircuitOpenException extends RuntimeException {

  private final @Nullable Duration remainingOpenTime;

  CircuitOpenException(@Nullable Duration remainingOpenTime) {
    super("the circuit breaker is open", null, true, false);
    this.remainingOpenTime = remainingOpenTime;
  }

  /** Returns how long the circuit stays open, if known. */
  public Optional<Duration> remainingOpenTime() {
    return Optional.ofNullable(remainingOpenTime);
  }
}

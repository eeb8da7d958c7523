// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An attempt was not made, because a circuit breaker is open. */
public final class CircuitOpenException extends RuntimeException {

  private final @Nullable Duration remainingOpenTime;

  CircuitOpenException(@Nullable Duration opensIn) {
    super("the circuit breaker is open", null, true, false);
    this.remainingOpenTime = opensIn;
  }

  /** How long it will stay open, when that is known. */
  public Optional<Duration> remainingOpenTime() {
    return Optional.ofNullable(remainingOpenTime);
  }
}

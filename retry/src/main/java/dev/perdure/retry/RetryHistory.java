// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.Optional;

/**
 * How a call came to its end: stands among the suppressed exceptions of the failure that is thrown.
 * It has no stack trace of its own.
 */
public final class RetryHistory extends Exception {

  private final long attempts;
  private final Duration elapsed;
  private final StopReason reason;

  RetryHistory(long attempts, Duration elapsed, StopReason reason) {
    super(
        "%d %s in %s, stopped: %s"
            .formatted(attempts, attempts == 1 ? "attempt" : "attempts", elapsed, reason),
        null,
        false,
        false);
    this.attempts = attempts;
    this.elapsed = elapsed;
    this.reason = reason;
  }

  /** The history of a failure that a {@link Retry} threw. */
  public static Optional<RetryHistory> of(Throwable failure) {
    for (Throwable suppressed : failure.getSuppressed()) {
      if (suppressed instanceof RetryHistory history) {
        return Optional.of(history);
      }
    }
    return Optional.empty();
  }

  /** How often the call was tried: the first attempt and the retries. */
  public long attempts() {
    return attempts;
  }

  /**
   * From the start of the call to its end; of a {@link Retry} with nothing to it but a policy, from
   * the first failure, since it does not look at the clock before.
   */
  public Duration elapsed() {
    return elapsed;
  }

  public StopReason reason() {
    return reason;
  }
}

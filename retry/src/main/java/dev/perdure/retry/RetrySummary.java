// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a call came to its end: stands among the suppressed exceptions of the failure that is thrown.
 * It has no stack trace of its own.
 */
public final class RetrySummary extends Exception {

  /** More retries around retries than this, and it is one exception thrown again and again. */
  static final int MAX_NESTED = 3;

  private final transient @Nullable RetryConfig config;
  private final long attempts;
  private final Duration elapsed;
  private final StopReason reason;

  RetrySummary(RetryConfig author, long attempts, Duration elapsed, StopReason reason) {
    super(
        "%d %s in %s, stopped: %s"
            .formatted(attempts, attempts == 1 ? "attempt" : "attempts", elapsed, reason),
        null,
        false,
        false);
    this.config = author;
    this.attempts = attempts;
    this.elapsed = elapsed;
    this.reason = reason;
  }

  /** The history of a failure that a {@link Retry} threw; of the outer one if it was nested. */
  public static Optional<RetrySummary> of(Throwable failure) {
    RetrySummary last = null;
    for (Throwable suppressed : failure.getSuppressed()) {
      if (suppressed instanceof RetrySummary history) {
        last = history;
      }
    }
    return Optional.ofNullable(last);
  }

  /** True when a failure has a history by this author already, or as many as it can have. */
  @SuppressWarnings("ReferenceEquality") // Not the same words: the same Retry.
  static boolean isAlreadyIn(Throwable failure, RetryConfig author) {
    int told = 0;
    for (Throwable suppressed : failure.getSuppressed()) {
      if (suppressed instanceof RetrySummary history) {
        if (history.config == author) {
          return true;
        }
        told++;
      }
    }
    return told >= MAX_NESTED;
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

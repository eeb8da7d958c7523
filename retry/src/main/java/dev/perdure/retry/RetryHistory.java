// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a call came to its end: stands among the suppressed exceptions of the failure that is thrown.
 * It has no stack trace of its own.
 */
public final class RetryHistory extends Exception {

  /** More retries around retries than this, and it is one exception thrown again and again. */
  static final int MOST_NESTED = 3;

  private final transient @Nullable Settings author;
  private final long attempts;
  private final Duration elapsed;
  private final StopReason reason;

  RetryHistory(Settings author, long attempts, Duration elapsed, StopReason reason) {
    super(
        "%d %s in %s, stopped: %s"
            .formatted(attempts, attempts == 1 ? "attempt" : "attempts", elapsed, reason),
        null,
        false,
        false);
    this.author = author;
    this.attempts = attempts;
    this.elapsed = elapsed;
    this.reason = reason;
  }

  /** The history of a failure that a {@link Retry} threw; of the outer one if it was nested. */
  public static Optional<RetryHistory> of(Throwable failure) {
    RetryHistory last = null;
    for (Throwable suppressed : failure.getSuppressed()) {
      if (suppressed instanceof RetryHistory history) {
        last = history;
      }
    }
    return Optional.ofNullable(last);
  }

  /** True when a failure has a history by this author already, or as many as it can have. */
  @SuppressWarnings("ReferenceEquality") // Not the same words: the same Retry.
  static boolean isTold(Throwable failure, Settings author) {
    int told = 0;
    for (Throwable suppressed : failure.getSuppressed()) {
      if (suppressed instanceof RetryHistory history) {
        if (history.author == author) {
          return true;
        }
        told++;
      }
    }
    return told >= MOST_NESTED;
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

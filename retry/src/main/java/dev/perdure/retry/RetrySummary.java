// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Summarizes a call that failed: the number of attempts, the elapsed time and the reason for
 * stopping. It is a suppressed exception of the failure that is thrown, and has no stack trace.
 */
public final class RetrySummary extends Exception {

  /**
   * The maximum number of summaries in one exception. More than that means that the same exception
   * object is thrown repeatedly, rather than that retries are nested.
   */
  static final int MAX_NESTED = 3;

  private final transient @Nullable RetryConfig config;
  private final long attempts;
  private final Duration elapsed;
  private final StopReason reason;

  RetrySummary(RetryConfig config, long attempts, Duration elapsed, StopReason reason) {
    super(
        "%d %s in %s, stopped: %s"
            .formatted(attempts, attempts == 1 ? "attempt" : "attempts", elapsed, reason),
        null,
        false,
        false);
    this.config = config;
    this.attempts = attempts;
    this.elapsed = elapsed;
    this.reason = reason;
  }

  /**
   * Returns the summary of a failure that a {@link Retry} threw; the outermost one if retries are
   * nested.
   */
  public static Optional<RetrySummary> of(Throwable failure) {
    RetrySummary last = null;
    for (Throwable suppressed : failure.getSuppressed()) {
      if (suppressed instanceof RetrySummary summary) {
        last = summary;
      }
    }
    return Optional.ofNullable(last);
  }

  /**
   * Returns true if the failure already has a summary of this retry, or the maximum number of
   * summaries.
   */
  @SuppressWarnings("ReferenceEquality") // The same Retry, not an equal one.
  static boolean isAlreadyIn(Throwable failure, RetryConfig config) {
    int count = 0;
    for (Throwable suppressed : failure.getSuppressed()) {
      if (suppressed instanceof RetrySummary summary) {
        if (summary.config == config) {
          return true;
        }
        count++;
      }
    }
    return count >= MAX_NESTED;
  }

  /** Returns the number of attempts: the first one and the retries. */
  public long attempts() {
    return attempts;
  }

  /**
   * Returns the time from the start of the call to its end. For a {@link Retry} with only a policy,
   * it counts from the first failure, because such a retry does not read the clock before.
   */
  public Duration elapsed() {
    return elapsed;
  }

  public StopReason reason() {
    return reason;
  }
}

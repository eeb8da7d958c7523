// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.ErrorFingerprint;
import dev.perdure.engine.task.RetryCounters;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Attempts that were made in process before the task was submitted; the task continues as a retry.
 * Instants are durations before the submission, by the database's clock.
 *
 * <p>Each attempt counts as a lease: attempt n has the epoch n + 1. The task starts with the epoch
 * and the record of the last one, as if it had failed here.
 *
 * @param worker the name to record for these attempts
 * @param age how long ago the work first became due: the expiry counts from there
 * @param attempts the failed attempts, oldest first and without a gap; it may be only the newest
 */
public record ImportedHistory(String worker, Duration age, List<PriorAttempt> attempts) {

  /** Maximum number of recorded attempts. */
  public static final int MAX_ATTEMPTS = 1_000;

  public ImportedHistory {
    requireNonNull(worker, "worker");
    if (age.isNegative()) {
      throw new IllegalArgumentException("age: must not be negative, not " + age);
    }
    attempts = List.copyOf(attempts);
    if (attempts.isEmpty() || attempts.size() > MAX_ATTEMPTS) {
      throw new IllegalArgumentException(
          "attempts: must be 1 to " + MAX_ATTEMPTS + ", not " + attempts.size());
    }
    for (int i = 1; i < attempts.size(); i++) {
      if (attempts.get(i).number() != attempts.get(i - 1).number() + 1) {
        throw new IllegalArgumentException("attempts: must have consecutive numbers");
      }
    }
  }

  /**
   * One failed attempt.
   *
   * @param details what happened, with the delay before the next attempt
   */
  public record PriorAttempt(
      long number, Duration startedAgo, Duration endedAgo, AttemptDetails details) {

    public PriorAttempt {
      if (number < 0 || endedAgo.isNegative() || startedAgo.compareTo(endedAgo) < 0) {
        throw new IllegalArgumentException(
            "attempt %d: must have ended after it started, not started %s ago and ended %s ago"
                .formatted(number, startedAgo, endedAgo));
      }
      if (details.outcome() != AttemptOutcome.FAILURE || details.delay() == null) {
        throw new IllegalArgumentException(
            "details: must be a failure with a delay before its retry");
      }
    }

    /** The delay between the end of this attempt and the next one. */
    public Duration delay() {
      return requireNonNull(details.delay());
    }

    public long epoch() {
      return number + 1;
    }
  }

  public PriorAttempt last() {
    return attempts.getLast();
  }

  /** The fingerprint of the last failure. */
  public @Nullable String error() {
    ErrorFingerprint failed = ErrorFingerprint.of(last().details());
    return failed == null ? null : failed.id();
  }

  /** The epoch of the last attempt, which the task starts with. */
  public long epoch() {
    return last().epoch();
  }

  /** The counters that the task starts with. */
  public RetryCounters retryCounters() {
    return new RetryCounters(last().number() + 1, 0, 0, last().delay());
  }
}

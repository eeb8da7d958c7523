// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.RetryCounters;
import java.time.Duration;
import java.util.List;

/**
 * What happened to a task before it was submitted: somebody tried it elsewhere, and it goes on from
 * there as a retry. Instants are lengths of time before the submission, by the database's clock.
 *
 * <p>Each attempt counts as a lease: attempt n has the epoch n + 1, and the task starts with the
 * epoch and the record of the last one, exactly as if it had failed here.
 *
 * @param worker who tried it, for people
 * @param age how long ago it first became due: what the expiry counts from
 * @param attempts those that failed, oldest first and without a gap; perhaps only the newest
 */
public record ImportedHistory(String worker, Duration age, List<PriorAttempt> attempts) {

  /** The most attempts that are recorded one by one. */
  public static final int MAX_ATTEMPTS = 1_000;

  public ImportedHistory {
    requireNonNull(worker, "worker");
    if (age.isNegative()) {
      throw new IllegalArgumentException("an age must not be negative: " + age);
    }
    attempts = List.copyOf(attempts);
    if (attempts.isEmpty() || attempts.size() > MAX_ATTEMPTS) {
      throw new IllegalArgumentException(
          "a past has 1 to " + MAX_ATTEMPTS + " attempts, not " + attempts.size());
    }
    for (int i = 1; i < attempts.size(); i++) {
      if (attempts.get(i).number() != attempts.get(i - 1).number() + 1) {
        throw new IllegalArgumentException("attempts must follow each other without a gap");
      }
    }
  }

  /**
   * One attempt that failed.
   *
   * @param details what happened, with the delay before the next attempt
   */
  public record PriorAttempt(
      long number, Duration startedAgo, Duration endedAgo, AttemptDetails details) {

    public PriorAttempt {
      if (number < 0 || endedAgo.isNegative() || startedAgo.compareTo(endedAgo) < 0) {
        throw new IllegalArgumentException(
            "impossible: attempt %d started %s ago, ended %s ago"
                .formatted(number, startedAgo, endedAgo));
      }
      if (details.outcome() != AttemptOutcome.FAILURE || details.delay() == null) {
        throw new IllegalArgumentException("only a failure that waits for a retry is a past");
      }
    }

    /** How long after its end the next attempt was, or is, due. */
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

  /** The epoch of the last attempt, which the task starts with. */
  public long epoch() {
    return last().epoch();
  }

  /** The numbers that the task starts with. */
  public RetryCounters retryCounters() {
    return new RetryCounters(last().number() + 1, 0, 0, last().delay());
  }
}

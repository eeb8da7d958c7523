// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Failure;
import dev.perdure.policy.GiveUpReason;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a policy decides after each failed attempt, one entry per attempt from 0 on.
 *
 * <p>The age at attempt i is the sum of the delays without jitter before it.
 */
public record Timeline(List<Entry> entries) {

  public Timeline {
    entries = List.copyOf(entries);
  }

  /** What happens after one attempt failed. */
  public sealed interface Entry {
    long attempt();
  }

  /**
   * A retry follows.
   *
   * @param delay the delay before this retry
   * @param total all the delays up to this retry
   * @param rung where on a ladder it stands, for a policy with one
   */
  public record Retry(long attempt, Duration base, Range delay, Range total, @Nullable Rung rung)
      implements Entry {}

  /** Nothing follows. */
  public record End(long attempt, GiveUpReason reason) implements Entry {}

  /** A length of time that depends on what is drawn; expected is the mean. */
  public record Range(Duration earliest, Duration expected, Duration latest) {}

  /**
   * A place on a ladder, all counted from 1.
   *
   * @param count the retries of this step, or 0 for ever
   */
  public record Rung(int step, int steps, long retry, int count) {}

  /**
   * The timeline until the policy gives up for the first time, or until the most entries.
   *
   * @param failures the i-th serves attempt i, the last one repeats; at least one
   * @param start when the work becomes due; only an expiry at an instant depends on it
   */
  public static Timeline untilEnd(
      RetryPolicy policy, List<Failure> failures, Instant start, int most) {
    throw new UnsupportedOperationException();
  }

  /** One entry for each of so many attempts, also past the end: a table of decisions. */
  public static Timeline ofAttempts(
      RetryPolicy policy, List<Failure> failures, Instant start, int attempts) {
    throw new UnsupportedOperationException();
  }
}

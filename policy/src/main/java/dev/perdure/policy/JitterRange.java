// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The interval that a delay is drawn from, in milliseconds and inclusive, or the reason to give up.
 */
record JitterRange(@Nullable GiveUpReason reason, long base, long earliest, long latest) {

  static final JitterRange NO_POLICY = new JitterRange(GiveUpReason.NO_POLICY, 0, 0, 0);
  static final JitterRange NOT_RETRYABLE = new JitterRange(GiveUpReason.NOT_RETRYABLE, 0, 0, 0);
  static final JitterRange EXHAUSTED = new JitterRange(GiveUpReason.EXHAUSTED, 0, 0, 0);
  static final JitterRange EXPIRED = new JitterRange(GiveUpReason.EXPIRED, 0, 0, 0);

  /** The largest growth from one decorrelated delay to the next. */
  static final int DECORRELATED_MULTIPLIER = 3;

  static JitterRange exactly(long millis) {
    return between(millis, millis, millis);
  }

  /**
   * Returns the range around the base delay. For decorrelated jitter, the range depends on the
   * previous delay instead.
   */
  static JitterRange of(
      long base, Jitter jitter, Backoff backoff, @Nullable Duration previousDelay) {
    return switch (jitter) {
      case Jitter.None none -> exactly(base);
      case Jitter.Full full -> between(base, 0, base);
      case Jitter.Equal equal -> between(base, base - base / 2, base);
      case Jitter.Spread spread -> {
        long earliest = Math.round(base * (1 - spread.factor()));
        yield between(base, earliest, Math.round(base * (1 + spread.factor())));
      }
      case Jitter.Add add -> between(base, base, Math.round(base * (1 + add.factor())));
      case Jitter.Decorrelated decorrelated ->
          decorrelated(base, ((Backoff.Growing) backoff).initial(), previousDelay);
    };
  }

  private static JitterRange decorrelated(
      long base, Duration initial, @Nullable Duration previous) {
    long from = initial.toMillis();
    long last = previous == null ? from : Math.max(from, Millis.roundUp(previous));
    return between(base, from, DECORRELATED_MULTIPLIER * last);
  }

  private static JitterRange between(long base, long earliest, long latest) {
    return new JitterRange(null, base, earliest, latest);
  }

  JitterRange cappedAt(long limit) {
    return between(base, Math.min(earliest, limit), Math.min(latest, limit));
  }

  long draw(RandomGenerator random) {
    return earliest == latest ? earliest : random.nextLong(earliest, latest + 1);
  }
}

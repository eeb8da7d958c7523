// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.List;

/**
 * Computes base delays, the delays before jitter, in milliseconds. The arithmetic saturates instead
 * of overflowing.
 */
final class BackoffMath {

  /** Returned for a retry past the end of a ladder. */
  static final long LADDER_ENDED = -1;

  private BackoffMath() {}

  /** Returns the base delay after attempt n, at most {@code limit}, or {@link #LADDER_ENDED}. */
  static long baseDelayMillis(Backoff backoff, long n, long limit) {
    return switch (backoff) {
      case Backoff.Immediate immediate -> 0;
      case Backoff.Fixed fixed -> Math.min(fixed.delay().toMillis(), limit);
      case Backoff.Linear linear -> linear(linear, n, limit);
      case Backoff.Exponential exponential -> exponential(exponential, n, limit);
      case Backoff.Schedule schedule -> schedule(schedule.delays(), n, limit);
      case Backoff.Ladder ladder -> ladder(ladder.steps(), n, limit);
    };
  }

  private static long linear(Backoff.Linear linear, long n, long limit) {
    long increment = linear.increment().toMillis();
    // More steps than this exceed the limit anyway, and the product could overflow.
    long steps = Math.min(n, limit / increment + 1);
    return Math.min(linear.initial().toMillis() + increment * steps, limit);
  }

  private static long exponential(Backoff.Exponential exponential, long n, long limit) {
    double delay = exponential.initial().toMillis() * power(exponential.multiplier(), n);
    return Math.min(Math.round(delay), limit);
  }

  /**
   * Computes a power by squaring, with plain IEEE multiplications. Unlike {@code Math.pow}, this
   * gives the same bits on every machine, so a replayed decision is always the same.
   */
  private static double power(double base, long exponent) {
    double result = 1;
    double square = base;
    for (long rest = exponent; rest > 0; rest >>= 1) {
      if ((rest & 1) == 1) {
        result *= square;
      }
      square *= square;
    }
    return result;
  }

  private static long schedule(List<Duration> delays, long n, long limit) {
    int last = delays.size() - 1;
    return Math.min(delays.get((int) Math.min(n, last)).toMillis(), limit);
  }

  private static long ladder(List<Backoff.Step> steps, long n, long limit) {
    long before = 0;
    for (int i = 0; i < steps.size(); i++) {
      Backoff.Step step = steps.get(i);
      before += step.count();
      if (step.endless() || n < before) {
        return Math.min(step.delay().toMillis(), limit);
      }
    }
    return LADDER_ENDED;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes the base delays and jitter ranges of the specification the slow way, with numbers that
 * cannot overflow and hardly round.
 */
final class SpecArithmetic {

  private static final BigDecimal DAYS_3650 = millis(Duration.ofDays(3650));
  private static final MathContext EXACT_ENOUGH = new MathContext(40);

  private SpecArithmetic() {}

  static BigDecimal limit(RetryPolicy policy) {
    return policy.maxDelay() == null ? DAYS_3650 : millis(policy.maxDelay());
  }

  /**
   * Returns {@code min(base, max_delay)} after attempt n in milliseconds; null past the end of a
   * ladder.
   */
  static @Nullable BigDecimal base(RetryPolicy policy, long n) {
    BigDecimal base =
        switch (policy.backoff()) {
          case Backoff.Immediate immediate -> BigDecimal.ZERO;
          case Backoff.Fixed fixed -> millis(fixed.delay());
          case Backoff.Linear linear ->
              millis(linear.initial()).add(millis(linear.increment()).multiply(number(n)));
          case Backoff.Exponential exponential -> exponential(exponential, n, limit(policy));
          case Backoff.Schedule schedule -> {
            List<Duration> delays = schedule.delays();
            yield millis(n < delays.size() ? delays.get((int) n) : delays.getLast());
          }
          case Backoff.Ladder ladder -> ladder(ladder.steps(), n);
        };
    return base == null ? null : base.min(limit(policy));
  }

  private static BigDecimal exponential(Backoff.Exponential backoff, long n, BigDecimal limit) {
    BigDecimal multiplier = new BigDecimal(backoff.multiplier());
    BigDecimal power = BigDecimal.ONE;
    BigDecimal square = multiplier;
    for (long rest = n; rest > 0; rest >>= 1) {
      if ((rest & 1) == 1) {
        power = power.multiply(square, EXACT_ENOUGH).min(limit.add(BigDecimal.ONE));
      }
      square = square.multiply(square, EXACT_ENOUGH).min(limit.add(BigDecimal.ONE));
    }
    return millis(backoff.initial()).multiply(power, EXACT_ENOUGH);
  }

  private static @Nullable BigDecimal ladder(List<Backoff.Step> steps, long n) {
    BigInteger rest = BigInteger.valueOf(n);
    for (Backoff.Step step : steps) {
      BigInteger count = BigInteger.valueOf(step.count());
      if (step.count() == 0 || rest.compareTo(count) < 0) {
        return millis(step.delay());
      }
      rest = rest.subtract(count);
    }
    return null;
  }

  /** Returns the earliest delay that the jitter allows. */
  static BigDecimal earliest(RetryPolicy policy, BigDecimal base) {
    return switch (policy.jitter()) {
      case Jitter.None none -> base;
      case Jitter.Full full -> BigDecimal.ZERO;
      case Jitter.Equal equal -> base.divide(BigDecimal.TWO);
      case Jitter.Spread spread -> base.subtract(base.multiply(new BigDecimal(spread.factor())));
      case Jitter.Add add -> base;
      case Jitter.Decorrelated decorrelated -> initial(policy);
    };
  }

  /** Returns the latest delay that the jitter allows, before capping. */
  static BigDecimal latest(RetryPolicy policy, BigDecimal base, @Nullable Duration previous) {
    return switch (policy.jitter()) {
      case Jitter.None none -> base;
      case Jitter.Full full -> base;
      case Jitter.Equal equal -> base;
      case Jitter.Spread spread -> base.add(base.multiply(new BigDecimal(spread.factor())));
      case Jitter.Add add -> base.add(base.multiply(new BigDecimal(add.factor())));
      case Jitter.Decorrelated decorrelated -> {
        BigDecimal first = initial(policy);
        BigDecimal before = previous == null ? first : millis(previous).max(first);
        yield before.multiply(number(3));
      }
    };
  }

  private static BigDecimal initial(RetryPolicy policy) {
    return millis(((Backoff.Growing) policy.backoff()).initial());
  }

  static BigDecimal millis(Duration duration) {
    return new BigDecimal(duration.toSeconds())
        .add(new BigDecimal(duration.toNanosPart()).movePointLeft(9))
        .movePointRight(3);
  }

  private static BigDecimal number(long n) {
    return new BigDecimal(n);
  }
}

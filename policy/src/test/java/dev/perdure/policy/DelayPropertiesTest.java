// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.LongSummaryStatistics;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What holds for the delays of every policy, whatever the facts and the draws. */
class DelayPropertiesTest {

  private static final int CASES = 20_000;
  private static final Failure FAILURE = Failure.timeout();

  /** Two roundings to a millisecond, and what a double loses on ten years. */
  private static final BigDecimal ROUNDING = new BigDecimal(2);

  @Test
  void a_delay_is_never_negative_never_above_max_delay_and_never_past_the_expiry() {
    AtomicInteger retries = new AtomicInteger();
    SeededChecks.each(
        CASES,
        random -> {
          RandomPolicies some = new RandomPolicies(random);
          RetryPolicy policy = some.policy();
          DecisionContext decisionContext = some.facts();

          if (policy.decide(decisionContext, FAILURE, random) instanceof Decision.Retry retry) {
            retries.incrementAndGet();
            assertThat(retry.delay()).isBetween(Duration.ZERO, longest(policy));
            assertThat(retry.attempt())
                .isPositive()
                .isGreaterThanOrEqualTo(decisionContext.attempt());
            assertThat(retry.delay()).isLessThanOrEqualTo(timeLeft(policy, decisionContext));
          }
        });
    assertThat(retries).as("cases that say something").hasValueGreaterThan(CASES / 10);
  }

  @Test
  void a_hint_or_an_asked_delay_is_never_past_the_expiry_either() {
    SeededChecks.each(
        CASES,
        random -> {
          RandomPolicies some = new RandomPolicies(random);
          RetryPolicy policy = some.policy();
          DecisionContext decisionContext = some.facts();
          Failure failure =
              random.nextBoolean()
                  ? FAILURE.withRetryAfter(some.delay().plusNanos(random.nextInt(1_000_000)))
                  : FAILURE.withRequestedDelay(some.delay().plusNanos(random.nextInt(1_000_000)));

          if (policy.decide(decisionContext, failure, random) instanceof Decision.Retry retry) {
            assertThat(retry.delay()).isBetween(Duration.ZERO, Millis.MAX_DURATION);
            assertThat(retry.delay()).isLessThanOrEqualTo(timeLeft(policy, decisionContext));
          }
        });
  }

  @Test
  void every_draw_lies_in_the_window_of_the_outlook() {
    SeededChecks.each(
        CASES,
        random -> {
          RandomPolicies some = new RandomPolicies(random);
          RetryPolicy policy = some.policy();
          DecisionContext decisionContext = some.facts();

          Decision decision = policy.decide(decisionContext, FAILURE, random);

          switch (policy.preview(decisionContext, FAILURE)) {
            case Decision.GiveUp giveUp -> assertThat(decision).isEqualTo(giveUp);
            case DecisionPreview.DelayBounds delayBounds ->
                assertThat(((Decision.Retry) decision).delay())
                    .isBetween(delayBounds.earliest(), delayBounds.latest());
          }
        });
  }

  @Test
  void the_window_is_tight() {
    SeededChecks.each(
        500,
        random -> {
          RandomPolicies some = new RandomPolicies(random);
          Duration base = Duration.ofMillis(random.nextInt(1, 8));
          Backoff backoff = Backoff.linear(base, base);
          RetryPolicy policy = some.policy(backoff, some.jitter(backoff));
          DecisionContext decisionContext =
              new DecisionContext(random.nextInt(3), Duration.ZERO, Instant.EPOCH, null);

          if (policy.preview(decisionContext, FAILURE)
              instanceof DecisionPreview.DelayBounds delayBounds) {
            LongSummaryStatistics draws =
                LongStream.range(0, 1_000)
                    .map(i -> millis(policy.decide(decisionContext, FAILURE, random)))
                    .summaryStatistics();
            assertThat(draws.getMin()).isEqualTo(delayBounds.earliest().toMillis());
            assertThat(draws.getMax()).isEqualTo(delayBounds.latest().toMillis());
          }
        });
  }

  @Test
  void the_window_is_the_interval_of_the_specification() {
    AtomicInteger windows = new AtomicInteger();
    SeededChecks.each(
        CASES,
        random -> {
          RandomPolicies some = new RandomPolicies(random);
          RetryPolicy policy = some.policy();
          DecisionContext decisionContext = some.facts();
          BigDecimal base = SpecArithmetic.base(policy, decisionContext.attempt());
          BigDecimal left = SpecArithmetic.millis(timeLeft(policy, decisionContext));

          switch (policy.preview(decisionContext, FAILURE)) {
            case Decision.GiveUp giveUp ->
                assertThat(giveUp.reason()).isEqualTo(reason(policy, decisionContext, base, left));
            case DecisionPreview.DelayBounds delayBounds -> {
              windows.incrementAndGet();
              assertThat(reason(policy, decisionContext, base, left)).isNull();
              assertWindow(
                  delayBounds, policy, requireNonNull(base), left, decisionContext.previousDelay());
            }
          }
        });
    assertThat(windows).as("cases that say something").hasValueGreaterThan(CASES / 10);
  }

  private static @Nullable GiveUpReason reason(
      RetryPolicy policy,
      DecisionContext decisionContext,
      @Nullable BigDecimal base,
      BigDecimal left) {
    RetryLimit limit = policy.maxRetries();
    if (base == null || (!limit.unlimited() && decisionContext.attempt() >= limit.retries())) {
      return GiveUpReason.EXHAUSTED;
    }
    return base.setScale(0, RoundingMode.HALF_UP).compareTo(left) > 0 ? GiveUpReason.EXPIRED : null;
  }

  private static void assertWindow(
      DecisionPreview.DelayBounds delayBounds,
      RetryPolicy policy,
      BigDecimal base,
      BigDecimal left,
      @Nullable Duration previous) {
    BigDecimal cut = SpecArithmetic.limit(policy).min(left);
    assertNear(delayBounds.base(), base);
    BigDecimal before = SpecArithmetic.latest(policy, base, previous);
    assertNear(delayBounds.earliest(), SpecArithmetic.earliest(policy, base).min(cut));
    assertNear(delayBounds.latest(), before.min(cut));
    assertThat(delayBounds.latest()).isLessThanOrEqualTo(longest(policy));
  }

  private static void assertNear(Duration actual, BigDecimal expected) {
    assertThat(SpecArithmetic.millis(actual).subtract(expected).abs())
        .as("%s for %s ms", actual, expected)
        .isLessThanOrEqualTo(ROUNDING);
  }

  @Test
  void the_same_inputs_and_draws_give_the_same_decision() {
    SeededChecks.each(
        CASES,
        random -> {
          RandomPolicies some = new RandomPolicies(random);
          RetryPolicy policy = some.policy();
          DecisionContext decisionContext = some.facts();
          long seed = random.nextLong();

          assertThat(policy.decide(decisionContext, FAILURE, new SplittableRandom(seed)))
              .isEqualTo(policy.decide(decisionContext, FAILURE, new SplittableRandom(seed)));
        });
  }

  @Test
  void the_base_of_a_growing_backoff_never_falls() {
    SeededChecks.each(
        CASES / 10,
        random -> {
          RandomPolicies some = new RandomPolicies(random);
          Backoff backoff = some.growing();
          long before = 0;
          for (long n = 0; n < 100; n++) {
            long base = BackoffMath.baseDelayMillis(backoff, n, Millis.DEFAULT_MAX_DELAY);
            assertThat(base).isBetween(before, Millis.DEFAULT_MAX_DELAY);
            before = base;
          }
        });
  }

  private static long millis(Decision decision) {
    return ((Decision.Retry) decision).delay().toMillis();
  }

  private static Duration longest(RetryPolicy policy) {
    return policy.maxDelay() == null ? Duration.ofDays(3650) : policy.maxDelay();
  }

  private static Duration timeLeft(RetryPolicy policy, DecisionContext decisionContext) {
    return switch (policy.expiry()) {
      case Expiry.Never never -> Duration.between(Instant.MIN, Instant.MAX);
      case Expiry.After after ->
          after
              .age()
              .minus(
                  decisionContext.requireAge().isNegative()
                      ? Duration.ZERO
                      : decisionContext.age());
      case Expiry.At at -> Duration.between(decisionContext.now(), at.instant());
    };
  }
}

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

/** Properties of the delays of any policy, for any context and any random numbers. */
class DelayPropertiesTest {

  private static final int CASES = 20_000;
  private static final Failure FAILURE = Failure.timeout();

  /** Two roundings to a millisecond, and the error of a double on ten years. */
  private static final BigDecimal ROUNDING = new BigDecimal(2);

  @Test
  void a_delay_is_never_negative_and_never_exceeds_max_delay_or_the_expiry() {
    AtomicInteger retries = new AtomicInteger();
    SeededChecks.each(
        CASES,
        random -> {
          RandomPolicies generator = new RandomPolicies(random);
          RetryPolicy policy = generator.policy();
          DecisionContext context = generator.context();

          if (policy.decide(context, FAILURE, random) instanceof Decision.Retry retry) {
            retries.incrementAndGet();
            assertThat(retry.delay()).isBetween(Duration.ZERO, maxDelay(policy));
            assertThat(retry.attempt()).isPositive().isGreaterThanOrEqualTo(context.attempt());
            assertThat(retry.delay()).isLessThanOrEqualTo(timeLeft(policy, context));
          }
        });
    assertThat(retries).as("cases that are not trivial").hasValueGreaterThan(CASES / 10);
  }

  @Test
  void a_retry_after_or_requested_delay_never_exceeds_the_expiry() {
    SeededChecks.each(
        CASES,
        random -> {
          RandomPolicies generator = new RandomPolicies(random);
          RetryPolicy policy = generator.policy();
          DecisionContext context = generator.context();
          Failure failure =
              random.nextBoolean()
                  ? FAILURE.withRetryAfter(generator.delay().plusNanos(random.nextInt(1_000_000)))
                  : FAILURE.withRequestedDelay(
                      generator.delay().plusNanos(random.nextInt(1_000_000)));

          if (policy.decide(context, failure, random) instanceof Decision.Retry retry) {
            assertThat(retry.delay()).isBetween(Duration.ZERO, Millis.MAX_DURATION);
            assertThat(retry.delay()).isLessThanOrEqualTo(timeLeft(policy, context));
          }
        });
  }

  @Test
  void every_delay_lies_within_the_bounds_of_the_preview() {
    SeededChecks.each(
        CASES,
        random -> {
          RandomPolicies generator = new RandomPolicies(random);
          RetryPolicy policy = generator.policy();
          DecisionContext context = generator.context();

          Decision decision = policy.decide(context, FAILURE, random);

          switch (policy.preview(context, FAILURE)) {
            case Decision.GiveUp giveUp -> assertThat(decision).isEqualTo(giveUp);
            case DecisionPreview.DelayBounds bounds ->
                assertThat(((Decision.Retry) decision).delay())
                    .isBetween(bounds.earliest(), bounds.latest());
          }
        });
  }

  @Test
  void the_bounds_are_tight() {
    SeededChecks.each(
        500,
        random -> {
          RandomPolicies generator = new RandomPolicies(random);
          Duration base = Duration.ofMillis(random.nextInt(1, 8));
          Backoff backoff = Backoff.linear(base, base);
          RetryPolicy policy = generator.policy(backoff, generator.jitter(backoff));
          DecisionContext context =
              new DecisionContext(random.nextInt(3), Duration.ZERO, Instant.EPOCH, null);

          if (policy.preview(context, FAILURE) instanceof DecisionPreview.DelayBounds bounds) {
            LongSummaryStatistics draws =
                LongStream.range(0, 1_000)
                    .map(i -> millis(policy.decide(context, FAILURE, random)))
                    .summaryStatistics();
            assertThat(draws.getMin()).isEqualTo(bounds.earliest().toMillis());
            assertThat(draws.getMax()).isEqualTo(bounds.latest().toMillis());
          }
        });
  }

  @Test
  void the_bounds_match_the_specification() {
    AtomicInteger previews = new AtomicInteger();
    SeededChecks.each(
        CASES,
        random -> {
          RandomPolicies generator = new RandomPolicies(random);
          RetryPolicy policy = generator.policy();
          DecisionContext context = generator.context();
          BigDecimal base = SpecArithmetic.base(policy, context.attempt());
          BigDecimal left = SpecArithmetic.millis(timeLeft(policy, context));

          switch (policy.preview(context, FAILURE)) {
            case Decision.GiveUp giveUp ->
                assertThat(giveUp.reason()).isEqualTo(reason(policy, context, base, left));
            case DecisionPreview.DelayBounds bounds -> {
              previews.incrementAndGet();
              assertThat(reason(policy, context, base, left)).isNull();
              assertBounds(bounds, policy, requireNonNull(base), left, context.previousDelay());
            }
          }
        });
    assertThat(previews).as("cases that are not trivial").hasValueGreaterThan(CASES / 10);
  }

  private static @Nullable GiveUpReason reason(
      RetryPolicy policy, DecisionContext context, @Nullable BigDecimal base, BigDecimal left) {
    RetryLimit limit = policy.maxRetries();
    if (base == null || (!limit.unlimited() && context.attempt() >= limit.retries())) {
      return GiveUpReason.EXHAUSTED;
    }
    return base.setScale(0, RoundingMode.HALF_UP).compareTo(left) > 0 ? GiveUpReason.EXPIRED : null;
  }

  private static void assertBounds(
      DecisionPreview.DelayBounds bounds,
      RetryPolicy policy,
      BigDecimal base,
      BigDecimal left,
      @Nullable Duration previous) {
    BigDecimal cap = SpecArithmetic.limit(policy).min(left);
    assertNear(bounds.base(), base);
    BigDecimal uncapped = SpecArithmetic.latest(policy, base, previous);
    assertNear(bounds.earliest(), SpecArithmetic.earliest(policy, base).min(cap));
    assertNear(bounds.latest(), uncapped.min(cap));
    assertThat(bounds.latest()).isLessThanOrEqualTo(maxDelay(policy));
  }

  private static void assertNear(Duration actual, BigDecimal expected) {
    assertThat(SpecArithmetic.millis(actual).subtract(expected).abs())
        .as("%s for %s ms", actual, expected)
        .isLessThanOrEqualTo(ROUNDING);
  }

  @Test
  void the_same_inputs_and_random_numbers_give_the_same_decision() {
    SeededChecks.each(
        CASES,
        random -> {
          RandomPolicies generator = new RandomPolicies(random);
          RetryPolicy policy = generator.policy();
          DecisionContext context = generator.context();
          long seed = random.nextLong();

          assertThat(policy.decide(context, FAILURE, new SplittableRandom(seed)))
              .isEqualTo(policy.decide(context, FAILURE, new SplittableRandom(seed)));
        });
  }

  @Test
  void the_base_delay_of_a_growing_backoff_never_shrinks() {
    SeededChecks.each(
        CASES / 10,
        random -> {
          RandomPolicies generator = new RandomPolicies(random);
          Backoff backoff = generator.growing();
          long previous = 0;
          for (long n = 0; n < 100; n++) {
            long base = BackoffMath.baseDelayMillis(backoff, n, Millis.DEFAULT_MAX_DELAY);
            assertThat(base).isBetween(previous, Millis.DEFAULT_MAX_DELAY);
            previous = base;
          }
        });
  }

  private static long millis(Decision decision) {
    return ((Decision.Retry) decision).delay().toMillis();
  }

  private static Duration maxDelay(RetryPolicy policy) {
    return policy.maxDelay() == null ? Duration.ofDays(3650) : policy.maxDelay();
  }

  private static Duration timeLeft(RetryPolicy policy, DecisionContext context) {
    return switch (policy.expiry()) {
      case Expiry.Never never -> Duration.between(Instant.MIN, Instant.MAX);
      case Expiry.After after ->
          after.age().minus(context.requireAge().isNegative() ? Duration.ZERO : context.age());
      case Expiry.At at -> Duration.between(context.now(), at.instant());
    };
  }
}

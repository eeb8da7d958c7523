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
    Seeds.each(
        CASES,
        random -> {
          RandomPolicies some = new RandomPolicies(random);
          RetryPolicy policy = some.policy();
          Facts facts = some.facts();

          if (policy.decide(facts, FAILURE, random) instanceof Decision.Retry retry) {
            retries.incrementAndGet();
            assertThat(retry.delay()).isBetween(Duration.ZERO, longest(policy));
            assertThat(retry.attempt()).isPositive().isGreaterThanOrEqualTo(facts.attempt());
            assertThat(retry.delay()).isLessThanOrEqualTo(timeLeft(policy, facts));
          }
        });
    assertThat(retries).as("cases that say something").hasValueGreaterThan(CASES / 10);
  }

  @Test
  void a_hint_or_an_asked_delay_is_never_past_the_expiry_either() {
    Seeds.each(
        CASES,
        random -> {
          RandomPolicies some = new RandomPolicies(random);
          RetryPolicy policy = some.policy();
          Facts facts = some.facts();
          Failure failure =
              random.nextBoolean()
                  ? FAILURE.withRetryAfter(some.delay().plusNanos(random.nextInt(1_000_000)))
                  : FAILURE.withAskedDelay(some.delay().plusNanos(random.nextInt(1_000_000)));

          if (policy.decide(facts, failure, random) instanceof Decision.Retry retry) {
            assertThat(retry.delay()).isBetween(Duration.ZERO, Millis.LONGEST);
            assertThat(retry.delay()).isLessThanOrEqualTo(timeLeft(policy, facts));
          }
        });
  }

  @Test
  void every_draw_lies_in_the_window_of_the_outlook() {
    Seeds.each(
        CASES,
        random -> {
          RandomPolicies some = new RandomPolicies(random);
          RetryPolicy policy = some.policy();
          Facts facts = some.facts();

          Decision decision = policy.decide(facts, FAILURE, random);

          switch (policy.outlook(facts, FAILURE)) {
            case Decision.GiveUp giveUp -> assertThat(decision).isEqualTo(giveUp);
            case Outlook.Window window ->
                assertThat(((Decision.Retry) decision).delay())
                    .isBetween(window.earliest(), window.latest());
          }
        });
  }

  @Test
  void the_window_is_tight() {
    Seeds.each(
        500,
        random -> {
          RandomPolicies some = new RandomPolicies(random);
          Duration base = Duration.ofMillis(random.nextInt(1, 8));
          Backoff backoff = Backoff.linear(base, base);
          RetryPolicy policy = some.policy(backoff, some.jitter(backoff));
          Facts facts = new Facts(random.nextInt(3), Duration.ZERO, Instant.EPOCH, null);

          if (policy.outlook(facts, FAILURE) instanceof Outlook.Window window) {
            LongSummaryStatistics draws =
                LongStream.range(0, 1_000)
                    .map(i -> millis(policy.decide(facts, FAILURE, random)))
                    .summaryStatistics();
            assertThat(draws.getMin()).isEqualTo(window.earliest().toMillis());
            assertThat(draws.getMax()).isEqualTo(window.latest().toMillis());
          }
        });
  }

  @Test
  void the_window_is_the_interval_of_the_specification() {
    AtomicInteger windows = new AtomicInteger();
    Seeds.each(
        CASES,
        random -> {
          RandomPolicies some = new RandomPolicies(random);
          RetryPolicy policy = some.policy();
          Facts facts = some.facts();
          BigDecimal base = SpecArithmetic.base(policy, facts.attempt());
          BigDecimal left = SpecArithmetic.millis(timeLeft(policy, facts));

          switch (policy.outlook(facts, FAILURE)) {
            case Decision.GiveUp giveUp ->
                assertThat(giveUp.reason()).isEqualTo(reason(policy, facts, base, left));
            case Outlook.Window window -> {
              windows.incrementAndGet();
              assertThat(reason(policy, facts, base, left)).isNull();
              assertWindow(window, policy, requireNonNull(base), left, facts.previousDelay());
            }
          }
        });
    assertThat(windows).as("cases that say something").hasValueGreaterThan(CASES / 10);
  }

  private static @Nullable GiveUpReason reason(
      RetryPolicy policy, Facts facts, @Nullable BigDecimal base, BigDecimal left) {
    RetryLimit limit = policy.maxRetries();
    if (base == null || (!limit.unlimited() && facts.attempt() >= limit.retries())) {
      return GiveUpReason.EXHAUSTED;
    }
    return base.setScale(0, RoundingMode.HALF_UP).compareTo(left) > 0 ? GiveUpReason.EXPIRED : null;
  }

  private static void assertWindow(
      Outlook.Window window,
      RetryPolicy policy,
      BigDecimal base,
      BigDecimal left,
      @Nullable Duration previous) {
    BigDecimal cut = SpecArithmetic.limit(policy).min(left);
    assertNear(window.base(), base);
    BigDecimal before = SpecArithmetic.latest(policy, base, previous);
    assertNear(window.earliest(), SpecArithmetic.earliest(policy, base).min(cut));
    assertNear(window.latest(), before.min(cut));
    assertThat(window.latest()).isLessThanOrEqualTo(longest(policy));
  }

  private static void assertNear(Duration actual, BigDecimal expected) {
    assertThat(SpecArithmetic.millis(actual).subtract(expected).abs())
        .as("%s for %s ms", actual, expected)
        .isLessThanOrEqualTo(ROUNDING);
  }

  @Test
  void the_same_inputs_and_draws_give_the_same_decision() {
    Seeds.each(
        CASES,
        random -> {
          RandomPolicies some = new RandomPolicies(random);
          RetryPolicy policy = some.policy();
          Facts facts = some.facts();
          long seed = random.nextLong();

          assertThat(policy.decide(facts, FAILURE, new SplittableRandom(seed)))
              .isEqualTo(policy.decide(facts, FAILURE, new SplittableRandom(seed)));
        });
  }

  @Test
  void the_base_of_a_growing_backoff_never_falls() {
    Seeds.each(
        CASES / 10,
        random -> {
          RandomPolicies some = new RandomPolicies(random);
          Backoff backoff = some.growing();
          long before = 0;
          for (long n = 0; n < 100; n++) {
            long base = Growth.millis(backoff, n, Millis.CEILING);
            assertThat(base).isBetween(before, Millis.CEILING);
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

  private static Duration timeLeft(RetryPolicy policy, Facts facts) {
    return switch (policy.expiry()) {
      case Expiry.Never never -> Duration.between(Instant.MIN, Instant.MAX);
      case Expiry.After after ->
          after.age().minus(facts.knownAge().isNegative() ? Duration.ZERO : facts.age());
      case Expiry.At at -> Duration.between(facts.now(), at.instant());
    };
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.DeliveryOptions;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.DecisionPreview;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.GiveUpReason;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DeliveryRetryDeciderTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Failure BUSY = Failure.http(503);
  private static final Duration HOUR = Duration.ofHours(1);

  private static Decision decide(RetryPolicy policy, Failure failure) {
    return new DeliveryRetryDecider(policy).decide(delivery(UUID.randomUUID(), 0), failure, NOW);
  }

  private static Delivery delivery(UUID id, long attempt) {
    return new Delivery(
        id,
        id,
        id,
        new DeliveryMessage("on_success", "{}"),
        DeliveryState.PENDING,
        attempt + 1,
        attempt,
        new Delivery.DeliveryTimes(NOW, NOW, NOW, null, NOW, null),
        null);
  }

  private static RetryPolicy hourly() {
    return RetryPolicy.fixed(HOUR).jitter(Jitter.none()).maxRetries(3).build();
  }

  /**
   * Delays are 30 s × 5ⁿ, at most 108 h. With full jitter they add up to half of that on average.
   */
  @Test
  void the_default_policy_makes_eight_attempts_over_about_three_days() {
    List<Long> seconds = List.of(30L, 150L, 750L, 3_750L, 18_750L, 93_750L, 388_800L);
    Duration sum = Duration.ZERO;
    for (int attempt = 0; attempt < 7; attempt++) {
      Duration base = Duration.ofSeconds(seconds.get(attempt));
      assertThat(DeliveryOptions.DEFAULT_POLICY.preview(DecisionContext.attempt(attempt), BUSY))
          .isEqualTo(new DecisionPreview.DelayBounds(base, Duration.ZERO, base));
      sum = sum.plus(base);
    }

    assertThat(DeliveryOptions.DEFAULT_POLICY.preview(DecisionContext.attempt(7), BUSY))
        .isEqualTo(new Decision.GiveUp(GiveUpReason.EXHAUSTED));
    assertThat(sum.dividedBy(2)).isBetween(Duration.ofHours(66), Duration.ofHours(78));
  }

  @Test
  void a_retry_after_longer_than_the_policys_delay_is_used() {
    Failure later = BUSY.withRetryAfter(HOUR.plusSeconds(1));

    assertThat(decide(hourly(), later)).isEqualTo(new Decision.Retry(HOUR.plusSeconds(1), 1));
  }

  @Test
  void a_retry_after_shorter_than_the_policys_delay_is_ignored() {
    for (Duration hint : List.of(Duration.ZERO, HOUR.minusMillis(1))) {
      assertThat(decide(hourly(), BUSY.withRetryAfter(hint)))
          .isEqualTo(new Decision.Retry(HOUR, 1));
    }
  }

  @Test
  void a_retry_after_never_shortens_the_random_delay() {
    DeliveryRetryDecider decider = new DeliveryRetryDecider(DeliveryOptions.DEFAULT_POLICY);
    for (int attempt = 0; attempt < 7; attempt++) {
      Delivery delivery = delivery(UUID.randomUUID(), attempt);

      assertThat(decider.decide(delivery, BUSY.withRetryAfter(Duration.ZERO), NOW))
          .as("attempt %d of %s", attempt, delivery.id())
          .isEqualTo(decider.decide(delivery, BUSY, NOW));
    }
  }

  @Test
  void a_delay_beyond_the_expiry_gives_up_with_or_without_retry_after() {
    RetryPolicy expiring =
        RetryPolicy.fixed(HOUR).jitter(Jitter.none()).expiresAfter(HOUR.multipliedBy(2)).build();
    Failure longRetryAfter = BUSY.withRetryAfter(Duration.ofHours(23));

    assertThat(decide(expiring, longRetryAfter))
        .isEqualTo(new Decision.GiveUp(GiveUpReason.EXPIRED));
    RetryPolicy expired =
        RetryPolicy.fixed(HOUR).jitter(Jitter.none()).expiresAfter(HOUR.dividedBy(2)).build();
    assertThat(decide(expired, BUSY.withRetryAfter(Duration.ZERO)))
        .isEqualTo(new Decision.GiveUp(GiveUpReason.EXPIRED));
  }

  @Test
  void a_policy_with_decorrelated_jitter_is_refused() {
    RetryPolicy growing = RetryPolicy.exponential(HOUR).jitter(Jitter.decorrelated()).build();
    RetryPolicy sometimes =
        RetryPolicy.exponential(HOUR)
            .override(
                PolicyOverride.on(FailureMatcher.status(429)).withJitter(Jitter.decorrelated()))
            .build();

    for (RetryPolicy policy : List.of(growing, sometimes)) {
      assertThatThrownBy(() -> DeliveryOptions.DEFAULT.withPolicy(policy))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("jitter: must not be \"decorrelated\"");
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import dev.perdure.engine.task.Delivery;
import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides whether a delivery that failed is tried again, and when. The same delivery, attempt and
 * failure always give the same delay.
 *
 * <p>A Retry-After only lengthens the delay: a callee that asks to be called again at once would
 * otherwise use up every attempt in the moment in which it is broken.
 */
public record DeliveryRetryDecider(RetryPolicy policy) {

  public Decision decide(Delivery delivery, Failure failure, Instant now) {
    Duration age = Duration.between(delivery.times().retrySince(), now);
    DecisionContext decisionContext =
        new DecisionContext(delivery.attempt(), age.isNegative() ? Duration.ZERO : age, now, null);
    Decision drawn = decide(delivery, failure.withRetryAfter(null), decisionContext);
    Decision asked = decide(delivery, failure, decisionContext);
    return isSooner(asked, drawn) ? drawn : asked;
  }

  private Decision decide(Delivery delivery, Failure failure, DecisionContext decisionContext) {
    return policy.decide(
        decisionContext, failure, SeededRandom.of(delivery.id(), delivery.attempt()));
  }

  /** Nothing is later than never. */
  private static boolean isSooner(Decision one, Decision other) {
    return one instanceof Decision.Retry first
        && (!(other instanceof Decision.Retry second)
            || first.delay().compareTo(second.delay()) < 0);
  }
}

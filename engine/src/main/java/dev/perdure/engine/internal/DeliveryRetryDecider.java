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
 * Decides whether and when a failed delivery is retried. The same delivery, attempt and failure
 * always give the same delay.
 *
 * <p>A Retry-After can only lengthen the delay. Otherwise a callee that asks to be called again at
 * once would use up every attempt within the moment in which it is broken.
 */
public record DeliveryRetryDecider(RetryPolicy policy) {

  public Decision decide(Delivery delivery, Failure failure, Instant now) {
    Duration age = Duration.between(delivery.times().retrySince(), now);
    DecisionContext context =
        new DecisionContext(delivery.attempt(), age.isNegative() ? Duration.ZERO : age, now, null);
    Decision byPolicy = decide(delivery, failure.withRetryAfter(null), context);
    Decision byCallee = decide(delivery, failure, context);
    return isSooner(byCallee, byPolicy) ? byPolicy : byCallee;
  }

  private Decision decide(Delivery delivery, Failure failure, DecisionContext context) {
    return policy.decide(context, failure, SeededRandom.of(delivery.id(), delivery.attempt()));
  }

  /** A retry comes sooner than giving up. */
  private static boolean isSooner(Decision one, Decision other) {
    return one instanceof Decision.Retry first
        && (!(other instanceof Decision.Retry second)
            || first.delay().compareTo(second.delay()) < 0);
  }
}

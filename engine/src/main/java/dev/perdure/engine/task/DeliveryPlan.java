// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import dev.perdure.policy.Decision;
import dev.perdure.policy.Facts;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides whether a delivery that failed is tried again, and when. The same delivery, attempt and
 * failure always give the same delay.
 */
public record DeliveryPlan(RetryPolicy policy) {

  public Decision decide(Delivery delivery, Failure failure, Instant now) {
    Duration age = Duration.between(delivery.times().since(), now);
    Facts facts = new Facts(delivery.attempt(), age.isNegative() ? Duration.ZERO : age, now, null);
    return policy.decide(facts, failure, Draws.of(delivery.id(), delivery.attempt()));
  }
}

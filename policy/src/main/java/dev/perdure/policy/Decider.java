// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.random.RandomGenerator;

/*
 * The decision, in its order:
 *
 *   1. no policy                                      give up: no_policy
 *   2. permanent, or not matched                      give up: not_retryable
 *   3. retries used up, or the ladder has ended       give up: exhausted
 *   4. the delay: asked for by the work itself; or by a server, when honoured; or computed
 *   5. the delay without jitter passes the expiry     give up: expired
 *   6. retry after the drawn delay
 *
 * The interval to draw from is cut at max_delay and at the expiry before anything is drawn. Cutting
 * the drawn value instead would bring every client back at the same instant, just when an outage is
 * long and they are many.
 */
final class Decider {

  private static final long NOT_REQUESTED = -1;

  private Decider() {}

  static Decision decide(
      RetryPolicy policy,
      DecisionContext decisionContext,
      Failure failure,
      RandomGenerator random) {
    JitterRange jitterRange = jitterRange(policy, decisionContext, failure);
    if (jitterRange.reason() != null) {
      return new Decision.GiveUp(jitterRange.reason());
    }
    long delay = jitterRange.draw(random);
    long next = Math.min(decisionContext.attempt(), Long.MAX_VALUE - 1) + 1;
    return new Decision.Retry(Duration.ofMillis(delay), next);
  }

  static DecisionPreview preview(
      RetryPolicy policy, DecisionContext decisionContext, Failure failure) {
    JitterRange jitterRange = jitterRange(policy, decisionContext, failure);
    if (jitterRange.reason() != null) {
      return new Decision.GiveUp(jitterRange.reason());
    }
    return new DecisionPreview.DelayBounds(
        Duration.ofMillis(jitterRange.base()),
        Duration.ofMillis(jitterRange.earliest()),
        Duration.ofMillis(jitterRange.latest()));
  }

  private static JitterRange jitterRange(
      RetryPolicy policy, DecisionContext decisionContext, Failure failure) {
    if (policy.isNone()) {
      return JitterRange.NO_POLICY;
    }
    if (!policy.isRetryable(failure)) {
      return JitterRange.NOT_RETRYABLE;
    }
    EffectivePolicy effectivePolicy = EffectivePolicy.of(policy, failure);
    long longest = effectivePolicy.maxDelayMillis();
    long base =
        BackoffMath.baseDelayMillis(effectivePolicy.backoff(), decisionContext.attempt(), longest);
    if (base == BackoffMath.LADDER_ENDED
        || effectivePolicy.maxRetries().reachedBy(decisionContext.attempt())) {
      return JitterRange.EXHAUSTED;
    }
    long asked = requestedMillis(policy.retryAfter(), failure);
    long timeLeft = timeLeft(policy.expiry(), decisionContext);
    if ((asked == NOT_REQUESTED ? base : asked) > timeLeft) {
      return JitterRange.EXPIRED;
    }
    if (asked != NOT_REQUESTED) {
      return JitterRange.exactly(asked);
    }
    JitterRange jitterRange =
        JitterRange.of(
            base,
            effectivePolicy.jitter(),
            effectivePolicy.backoff(),
            decisionContext.previousDelay());
    return jitterRange.cappedAt(Math.min(longest, timeLeft));
  }

  private static long requestedMillis(RetryAfter retryAfter, Failure failure) {
    if (failure.requestedDelay() != null) {
      return Millis.roundUp(failure.requestedDelay());
    }
    if (failure.retryAfter() != null && retryAfter.honor()) {
      return Math.min(Millis.roundUp(failure.retryAfter()), retryAfter.cap().toMillis());
    }
    return NOT_REQUESTED;
  }

  private static long timeLeft(Expiry expiry, DecisionContext decisionContext) {
    return switch (expiry) {
      case Expiry.Never never -> Long.MAX_VALUE;
      case Expiry.After after ->
          Millis.remaining(after.age().minus(notNegative(decisionContext.requireAge())));
      case Expiry.At at ->
          Millis.remaining(Duration.between(decisionContext.requireNow(), at.instant()));
    };
  }

  /** A clock that was set back must not lengthen the life of a task. */
  private static Duration notNegative(Duration age) {
    return age.isNegative() ? Duration.ZERO : age;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.random.RandomGenerator;

/*
 * Decides what happens after a failed attempt, in this order:
 *
 *   1. no policy                                      give up: no_policy
 *   2. permanent, or not matched                      give up: not_retryable
 *   3. no retries left, or the ladder has ended       give up: exhausted
 *   4. choose the delay: requested by the work itself, by the server if honored, or computed
 *   5. the delay without jitter exceeds the expiry    give up: expired
 *   6. retry after the drawn delay
 *
 * The range is capped at max_delay and at the expiry before the delay is drawn. Capping the drawn
 * delay instead would make many clients retry at the same instant, and in a long outage, when the
 * number of waiting clients is largest.
 */
final class Decider {

  private static final long NOT_REQUESTED = -1;

  private Decider() {}

  static Decision decide(
      RetryPolicy policy, DecisionContext context, Failure failure, RandomGenerator random) {
    JitterRange range = jitterRange(policy, context, failure);
    if (range.reason() != null) {
      return new Decision.GiveUp(range.reason());
    }
    long delay = range.draw(random);
    long next = Math.min(context.attempt(), Long.MAX_VALUE - 1) + 1;
    return new Decision.Retry(Duration.ofMillis(delay), next);
  }

  static DecisionPreview preview(RetryPolicy policy, DecisionContext context, Failure failure) {
    JitterRange range = jitterRange(policy, context, failure);
    if (range.reason() != null) {
      return new Decision.GiveUp(range.reason());
    }
    return new DecisionPreview.DelayBounds(
        Duration.ofMillis(range.base()),
        Duration.ofMillis(range.earliest()),
        Duration.ofMillis(range.latest()));
  }

  private static JitterRange jitterRange(
      RetryPolicy policy, DecisionContext context, Failure failure) {
    if (policy.isNone()) {
      return JitterRange.NO_POLICY;
    }
    if (!policy.isRetryable(failure)) {
      return JitterRange.NOT_RETRYABLE;
    }
    EffectivePolicy effective = EffectivePolicy.of(policy, failure);
    long maxDelay = effective.maxDelayMillis();
    long base = BackoffMath.baseDelayMillis(effective.backoff(), context.attempt(), maxDelay);
    if (base == BackoffMath.LADDER_ENDED || effective.maxRetries().reachedBy(context.attempt())) {
      return JitterRange.EXHAUSTED;
    }
    long requested = requestedMillis(policy.retryAfter(), failure);
    long timeLeft = timeLeft(policy.expiry(), context);
    if ((requested == NOT_REQUESTED ? base : requested) > timeLeft) {
      return JitterRange.EXPIRED;
    }
    if (requested != NOT_REQUESTED) {
      return JitterRange.exactly(requested);
    }
    JitterRange range =
        JitterRange.of(base, effective.jitter(), effective.backoff(), context.previousDelay());
    return range.cappedAt(Math.min(maxDelay, timeLeft));
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

  private static long timeLeft(Expiry expiry, DecisionContext context) {
    return switch (expiry) {
      case Expiry.Never never -> Long.MAX_VALUE;
      case Expiry.After after ->
          Millis.remaining(after.age().minus(notNegative(context.requireAge())));
      case Expiry.At at -> Millis.remaining(Duration.between(context.requireNow(), at.instant()));
    };
  }

  /** A clock that was set back must not extend the life of a task. */
  private static Duration notNegative(Duration age) {
    return age.isNegative() ? Duration.ZERO : age;
  }
}

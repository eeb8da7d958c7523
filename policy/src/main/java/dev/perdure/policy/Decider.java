// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

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

  private Decider() {}

  static Decision decide(RetryPolicy policy, Facts facts, Failure failure, RandomGenerator random) {
    Span span = span(policy, facts, failure);
    if (span.reason() != null) {
      return new Decision.GiveUp(span.reason());
    }
    long delay = span.draw(random);
    long next = Math.min(facts.attempt(), Long.MAX_VALUE - 1) + 1;
    return new Decision.Retry(Duration.ofMillis(delay), next);
  }

  static Outlook outlook(RetryPolicy policy, Facts facts, Failure failure) {
    Span span = span(policy, facts, failure);
    if (span.reason() != null) {
      return new Decision.GiveUp(span.reason());
    }
    return new Outlook.Window(
        Duration.ofMillis(span.base()),
        Duration.ofMillis(span.earliest()),
        Duration.ofMillis(span.latest()));
  }

  private static Span span(RetryPolicy policy, Facts facts, Failure failure) {
    if (policy.isNone()) {
      return Span.NO_POLICY;
    }
    if (failure.permanent() || !retryable(policy, failure)) {
      return Span.NOT_RETRYABLE;
    }
    PolicyOverride override = firstMatch(policy.overrides(), failure);
    long limit = limit(policy, override);
    Backoff backoff = backoff(policy, override);
    long base = Growth.millis(backoff, facts.attempt(), limit);
    if (base == Growth.ENDED || retries(policy, override).reachedBy(facts.attempt())) {
      return Span.EXHAUSTED;
    }
    long asked = askedMillis(policy.retryAfter(), failure);
    long timeLeft = timeLeft(policy.expiry(), facts);
    if ((asked == NOT_ASKED ? base : asked) > timeLeft) {
      return Span.EXPIRED;
    }
    if (asked != NOT_ASKED) {
      return Span.exactly(asked);
    }
    Span span = Span.of(base, jitter(policy, override), backoff, facts.previousDelay());
    return span.cutAt(Math.min(limit, timeLeft));
  }

  private static boolean retryable(RetryPolicy policy, Failure failure) {
    return FailureMatcher.best(policy.retryOn(), failure)
        > FailureMatcher.best(policy.neverOn(), failure);
  }

  private static @Nullable PolicyOverride firstMatch(
      List<PolicyOverride> overrides, Failure failure) {
    for (int i = 0; i < overrides.size(); i++) {
      if (overrides.get(i).matches(failure)) {
        return overrides.get(i);
      }
    }
    return null;
  }

  private static RetryLimit retries(RetryPolicy policy, @Nullable PolicyOverride override) {
    return override != null && override.maxRetries() != null
        ? override.maxRetries()
        : policy.maxRetries();
  }

  private static Backoff backoff(RetryPolicy policy, @Nullable PolicyOverride override) {
    return override != null && override.backoff() != null ? override.backoff() : policy.backoff();
  }

  private static Jitter jitter(RetryPolicy policy, @Nullable PolicyOverride override) {
    return override != null && override.jitter() != null ? override.jitter() : policy.jitter();
  }

  private static long limit(RetryPolicy policy, @Nullable PolicyOverride override) {
    Duration maxDelay =
        override != null && override.maxDelay() != null ? override.maxDelay() : policy.maxDelay();
    return maxDelay == null ? Millis.CEILING : maxDelay.toMillis();
  }

  private static final long NOT_ASKED = -1;

  private static long askedMillis(RetryAfter retryAfter, Failure failure) {
    if (failure.askedDelay() != null) {
      return Millis.toWait(failure.askedDelay());
    }
    if (failure.retryAfter() != null && retryAfter.honor()) {
      return Math.min(Millis.toWait(failure.retryAfter()), retryAfter.cap().toMillis());
    }
    return NOT_ASKED;
  }

  private static long timeLeft(Expiry expiry, Facts facts) {
    return switch (expiry) {
      case Expiry.Never never -> Long.MAX_VALUE;
      case Expiry.After after -> Millis.left(after.age().minus(notNegative(facts.age())));
      case Expiry.At at -> Millis.left(Duration.between(facts.now(), at.instant()));
    };
  }

  /** A clock that was set back must not lengthen the life of a task. */
  private static Duration notNegative(Duration age) {
    return age.isNegative() ? Duration.ZERO : age;
  }
}

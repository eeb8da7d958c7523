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

  private static final long NOT_ASKED = -1;

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
    if (!policy.retries(failure)) {
      return Span.NOT_RETRYABLE;
    }
    Ruling ruling = Ruling.of(policy, failure);
    long longest = ruling.longestMillis();
    long base = Growth.millis(ruling.backoff(), facts.attempt(), longest);
    if (base == Growth.ENDED || ruling.maxRetries().reachedBy(facts.attempt())) {
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
    Span span = Span.of(base, ruling.jitter(), ruling.backoff(), facts.previousDelay());
    return span.cutAt(Math.min(longest, timeLeft));
  }

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
      case Expiry.After after -> Millis.left(after.age().minus(notNegative(facts.knownAge())));
      case Expiry.At at -> Millis.left(Duration.between(facts.knownNow(), at.instant()));
    };
  }

  /** A clock that was set back must not lengthen the life of a task. */
  private static Duration notNegative(Duration age) {
    return age.isNegative() ? Duration.ZERO : age;
  }
}

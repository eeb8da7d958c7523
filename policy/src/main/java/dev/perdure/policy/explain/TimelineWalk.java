// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Decision;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.Facts;
import dev.perdure.policy.Failure;
import dev.perdure.policy.Outlook;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.Ruling;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes from attempt to attempt.
 *
 * <p>Decorrelated jitter looks at the delay before. So three histories are walked side by side: one
 * that always draws the earliest delay, one that draws the mean, one that draws the latest. They
 * share one age, since that counts the delays without jitter; whether there is a retry at all is
 * therefore the same in all three. No sum can overflow: a delay is at most a hundred years long,
 * and there are at most {@link Timeline#MOST_ENTRIES} of them.
 */
final class TimelineWalk {

  private static final Duration ENDLESS = Duration.ofSeconds(Long.MAX_VALUE);

  private final RetryPolicy policy;
  private final List<Failure> failures;
  private final Instant start;

  private long attempt;
  private Duration age = Duration.ZERO;
  private Timeline.Range total = Timeline.Range.ZERO;
  private Timeline.@Nullable Range before;

  TimelineWalk(RetryPolicy policy, List<Failure> failures, Instant start) {
    if (failures.isEmpty()) {
      throw new IllegalArgumentException("failures must not be empty: name at least one");
    }
    this.policy = policy;
    this.failures = List.copyOf(failures);
    this.start = start;
  }

  /** What follows the next attempt. Past an end the attempts are counted on, and time stands. */
  Timeline.Entry next() {
    Failure failure = failures.get((int) Math.min(attempt, failures.size() - 1));
    Timeline.Entry entry =
        switch (outlook(failure, before == null ? null : before.expected())) {
          case Decision.GiveUp giveUp -> new Timeline.End(attempt, giveUp.reason());
          case Outlook.Window window -> retry(failure, window);
        };
    attempt++;
    return entry;
  }

  private Timeline.Retry retry(Failure failure, Outlook.Window expected) {
    Timeline.Range delay =
        before == null
            ? new Timeline.Range(expected.earliest(), mean(expected), expected.latest())
            : new Timeline.Range(
                window(failure, before.earliest()).earliest(),
                mean(expected),
                window(failure, before.latest()).latest());
    before = delay;
    age = age.plus(expected.base());
    total = total.plus(delay).cutAt(lifetime());
    Timeline.Rung rung = Timeline.Rung.of(Ruling.of(policy, failure).backoff(), attempt);
    return new Timeline.Retry(attempt, expected.base(), delay, total, rung);
  }

  /** Whatever is drawn, no retry comes later than this after the start. */
  private Duration lifetime() {
    return switch (policy.expiry()) {
      case Expiry.Never never -> ENDLESS;
      case Expiry.After after -> after.age();
      case Expiry.At at -> Duration.between(start, at.instant());
    };
  }

  private Outlook.Window window(Failure failure, Duration previousDelay) {
    return (Outlook.Window) outlook(failure, previousDelay);
  }

  private Outlook outlook(Failure failure, @Nullable Duration previousDelay) {
    return policy.outlook(new Facts(attempt, age, now(), previousDelay), failure);
  }

  private Instant now() {
    boolean representable = age.compareTo(Duration.between(start, Instant.MAX)) < 0;
    return representable ? start.plus(age) : Instant.MAX;
  }

  /** Every whole millisecond of the window is drawn equally often. */
  private static Duration mean(Outlook.Window window) {
    return Duration.ofMillis((window.earliest().toMillis() + window.latest().toMillis()) / 2);
  }
}

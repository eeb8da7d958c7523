// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.DecisionPreview;
import dev.perdure.policy.EffectivePolicy;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.Failure;
import dev.perdure.policy.LadderPosition;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes a timeline attempt by attempt.
 *
 * <p>Decorrelated jitter depends on the previous delay. The builder therefore follows three
 * histories in parallel: one that always draws the earliest delay, one that draws the mean, and one
 * that draws the latest. They share one age, because the age counts delays without jitter. So all
 * three retry or give up together. Sums cannot overflow: a delay is at most 100 years long, and
 * there are at most {@link Timeline#MAX_ENTRIES} of them.
 */
final class TimelineBuilder {

  private static final Duration UNLIMITED = Duration.ofSeconds(Long.MAX_VALUE);

  private final RetryPolicy policy;
  private final List<Failure> failures;
  private final Instant start;

  private long attempt;
  private Duration age = Duration.ZERO;
  private Timeline.Range total = Timeline.Range.ZERO;
  private Timeline.@Nullable Range previousRange;

  TimelineBuilder(RetryPolicy policy, List<Failure> failures, Instant start) {
    if (failures.isEmpty()) {
      throw new IllegalArgumentException("failures must have at least one entry");
    }
    this.policy = policy;
    this.failures = List.copyOf(failures);
    this.start = start;
  }

  /**
   * Returns the entry of the next attempt. After a give-up, the attempt number still grows but the
   * age does not.
   */
  Timeline.Entry next() {
    Failure failure = failures.get((int) Math.min(attempt, failures.size() - 1));
    Timeline.Entry entry =
        switch (preview(failure, previousRange == null ? null : previousRange.expected())) {
          case Decision.GiveUp giveUp -> new Timeline.End(attempt, giveUp.reason());
          case DecisionPreview.DelayBounds delayBounds -> retry(failure, delayBounds);
        };
    attempt++;
    return entry;
  }

  private Timeline.Retry retry(Failure failure, DecisionPreview.DelayBounds expected) {
    Timeline.Range delay =
        previousRange == null
            ? new Timeline.Range(expected.earliest(), mean(expected), expected.latest())
            : new Timeline.Range(
                bounds(failure, previousRange.earliest()).earliest(),
                mean(expected),
                bounds(failure, previousRange.latest()).latest());
    previousRange = delay;
    age = age.plus(expected.base());
    total = total.plus(delay).cappedAt(lifetime());
    return new Timeline.Retry(attempt, expected.base(), delay, total, ladderPosition(failure));
  }

  private @Nullable LadderPosition ladderPosition(Failure failure) {
    return EffectivePolicy.of(policy, failure).backoff() instanceof Backoff.Ladder
        ? LadderPosition.of(policy, failure, attempt + 1)
        : null;
  }

  /** Returns the age after which no retry can start. */
  private Duration lifetime() {
    return switch (policy.expiry()) {
      case Expiry.Never never -> UNLIMITED;
      case Expiry.After after -> after.age();
      case Expiry.At at -> Duration.between(start, at.instant());
    };
  }

  private DecisionPreview.DelayBounds bounds(Failure failure, Duration previousDelay) {
    return (DecisionPreview.DelayBounds) preview(failure, previousDelay);
  }

  private DecisionPreview preview(Failure failure, @Nullable Duration previousDelay) {
    return policy.preview(new DecisionContext(attempt, age, now(), previousDelay), failure);
  }

  private Instant now() {
    boolean representable = age.compareTo(Duration.between(start, Instant.MAX)) < 0;
    return representable ? start.plus(age) : Instant.MAX;
  }

  /** All whole milliseconds between the bounds are equally likely. */
  private static Duration mean(DecisionPreview.DelayBounds delayBounds) {
    return Duration.ofMillis(
        (delayBounds.earliest().toMillis() + delayBounds.latest().toMillis()) / 2);
  }
}

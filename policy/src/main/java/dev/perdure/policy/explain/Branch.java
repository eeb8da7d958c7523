// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Expiry;
import dev.perdure.policy.Failure;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryPolicy;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One way through a policy: its own fields, or those that an override makes of them.
 *
 * @param place where it stands: empty for the policy's own fields, or {@code overrides[1]}
 * @param timeline what happens when every attempt fails in this way
 */
record Branch(String place, Ruling ruling, Expiry expiry, Timeline timeline) {

  static final int MOST_ATTEMPTS = 10_000;

  /** The way of the policy's own fields; null when no failure takes it. */
  static @Nullable Branch own(RetryPolicy policy, Reach reach) {
    Failure example = reach.own().example();
    return example == null ? null : of("", policy, Ruling.of(policy), example);
  }

  /** The way of an override; null when no failure takes it. */
  static @Nullable Branch override(RetryPolicy policy, int index, Reach.Answer answer) {
    PolicyOverride override = policy.overrides().get(index);
    return answer.example() == null
        ? null
        : of("overrides[" + index + "]", policy, Ruling.of(policy, override), answer.example());
  }

  private static Branch of(String place, RetryPolicy policy, Ruling ruling, Failure example) {
    Timeline timeline = Timeline.untilEnd(policy, List.of(example), Instant.EPOCH, MOST_ATTEMPTS);
    return new Branch(place, ruling, policy.expiry(), timeline);
  }

  /** The path of a field of this branch. */
  String path(String field) {
    return place.isEmpty() ? field : place + "." + field;
  }

  /** True when this policy would go on for ever. */
  boolean endless() {
    return ruling.endless() && expiry instanceof Expiry.Never;
  }

  /** The retries of the timeline. */
  List<Timeline.Retry> retries() {
    return timeline.entries().stream()
        .filter(Timeline.Retry.class::isInstance)
        .map(Timeline.Retry.class::cast)
        .toList();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.EffectivePolicy;
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
 * @param pathPrefix where it stands: empty for the policy's own fields, or {@code overrides[1]}
 * @param timeline what happens when every attempt fails in this way
 */
record PolicyVariant(
    String pathPrefix, EffectivePolicy effectivePolicy, Expiry expiry, Timeline timeline) {

  static final int MAX_ATTEMPTS = 10_000;

  /** The way of the policy's own fields; null when no failure takes it. */
  static @Nullable PolicyVariant base(RetryPolicy policy, ReachabilitySearch reachabilitySearch) {
    Failure example = reachabilitySearch.base().example();
    return example == null ? null : of("", policy, EffectivePolicy.of(policy), example);
  }

  /** The way of an override; null when no failure takes it. */
  static @Nullable PolicyVariant override(
      RetryPolicy policy, int index, ReachabilitySearch.Reachability reachability) {
    PolicyOverride override = policy.overrides().get(index);
    return reachability.example() == null
        ? null
        : of(
            "overrides[" + index + "]",
            policy,
            EffectivePolicy.of(policy, override),
            reachability.example());
  }

  private static PolicyVariant of(
      String place, RetryPolicy policy, EffectivePolicy effectivePolicy, Failure example) {
    Timeline timeline = Timeline.untilEnd(policy, List.of(example), Instant.EPOCH, MAX_ATTEMPTS);
    return new PolicyVariant(place, effectivePolicy, policy.expiry(), timeline);
  }

  /** The path of a field of this branch. */
  String path(String field) {
    return pathPrefix.isEmpty() ? field : pathPrefix + "." + field;
  }

  /** True when this policy would go on for ever. */
  boolean endless() {
    return effectivePolicy.endless() && expiry instanceof Expiry.Never;
  }

  /** The retries of the timeline. */
  List<Timeline.Retry> retries() {
    return timeline.entries().stream()
        .filter(Timeline.Retry.class::isInstance)
        .map(Timeline.Retry.class::cast)
        .toList();
  }
}

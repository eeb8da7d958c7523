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
 * The policy as it applies to some failures: without overrides, or with one override.
 *
 * @param pathPrefix the path in the policy: empty for the base policy, or {@code overrides[1]}
 * @param timeline what happens if every attempt fails with a failure of this variant
 */
record PolicyVariant(
    String pathPrefix, EffectivePolicy effectivePolicy, Expiry expiry, Timeline timeline) {

  static final int MAX_ATTEMPTS = 10_000;

  /** Returns the policy without overrides; null if no failure reaches it. */
  static @Nullable PolicyVariant base(RetryPolicy policy, ReachabilitySearch search) {
    Failure example = search.base().example();
    return example == null ? null : of("", policy, EffectivePolicy.of(policy), example);
  }

  /** Returns the policy with this override; null if no failure reaches it. */
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
      String pathPrefix, RetryPolicy policy, EffectivePolicy effectivePolicy, Failure example) {
    Timeline timeline = Timeline.untilEnd(policy, List.of(example), Instant.EPOCH, MAX_ATTEMPTS);
    return new PolicyVariant(pathPrefix, effectivePolicy, policy.expiry(), timeline);
  }

  /** Returns the path of a field of this variant. */
  String path(String field) {
    return pathPrefix.isEmpty() ? field : pathPrefix + "." + field;
  }

  /** Returns true if nothing ends the retries. */
  boolean endless() {
    return effectivePolicy.endless() && expiry instanceof Expiry.Never;
  }

  List<Timeline.Retry> retries() {
    return timeline.entries().stream()
        .filter(Timeline.Retry.class::isInstance)
        .map(Timeline.Retry.class::cast)
        .toList();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.EffectivePolicy;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryAfter;
import dev.perdure.policy.RetryPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Describes each property of a policy in words. */
public final class PolicyProperties {

  private PolicyProperties() {}

  /** One property of a policy. */
  public record Property(String label, String text) {}

  /** Returns the properties that the policy has, in the order in which they are shown. */
  public static List<Property> of(RetryPolicy policy) {
    List<Property> fields = new ArrayList<>();
    fields.add(new Property("retries", words(EffectivePolicy.of(policy), policy)));
    if (policy.isNone()) {
      return fields;
    }
    fields.add(new Property("jitter", jitter(policy.jitter())));
    fields.add(new Property("expiry", expiry(policy.expiry())));
    fields.add(new Property("retry on", matchers(policy.retryOn())));
    if (!policy.neverOn().isEmpty()) {
      fields.add(
          new Property(
              "never on", matchers(policy.neverOn()) + ", unless retry on is more specific"));
    }
    fields.add(new Property("Retry-After", retryAfter(policy.retryAfter())));
    for (PolicyOverride override : policy.overrides()) {
      fields.add(new Property("override", override(override, policy)));
    }
    return fields;
  }

  private static String words(EffectivePolicy effective, RetryPolicy policy) {
    return PolicyWords.of(effective, policy.expiry());
  }

  private static String jitter(Jitter jitter) {
    return switch (jitter) {
      case Jitter.None none -> "none: all clients wait equally long";
      case Jitter.Full full -> "full: random between 0 and the delay";
      case Jitter.Equal equal -> "equal: random between half the delay and the delay";
      case Jitter.Spread spread -> "spread: the delay ± " + NumberText.percent(spread.factor());
      case Jitter.Add add -> "add: the delay plus up to " + NumberText.percent(add.factor());
      case Jitter.Decorrelated decorrelated ->
          "decorrelated: random between the first delay and 3 × the previous one";
    };
  }

  private static String expiry(Expiry expiry) {
    return switch (expiry) {
      case Expiry.Never never -> "none: no time limit";
      case Expiry.After after ->
          "no retry later than %s after the task became due"
              .formatted(DurationText.format(after.age()));
      case Expiry.At at -> "no retry later than " + InstantText.of(at.instant());
    };
  }

  private static String retryAfter(RetryAfter retryAfter) {
    return retryAfter.honor()
        ? "honored, up to " + DurationText.format(retryAfter.cap())
        : "ignored";
  }

  private static String override(PolicyOverride override, RetryPolicy policy) {
    List<String> changes = new ArrayList<>();
    if (override.maxRetries() != null
        || override.backoff() != null
        || override.maxDelay() != null) {
      changes.add(words(EffectivePolicy.of(policy, override), policy));
    }
    if (override.jitter() != null) {
      changes.add("jitter " + jitter(override.jitter()));
    }
    return matchers(override.on())
        + " → "
        + (changes.isEmpty() ? "as usual" : String.join("; ", changes));
  }

  private static String matchers(List<FailureMatcher> matchers) {
    return matchers.stream()
        .map(matcher -> matcher instanceof FailureMatcher.Any ? "every failure" : matcher.text())
        .collect(Collectors.joining(", "));
  }
}

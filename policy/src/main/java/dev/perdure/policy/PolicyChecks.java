// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that the fields of a policy fit together. Fields that are missing are not checked. */
final class PolicyChecks {

  private static final int MAX_MATCHERS = 100;
  private static final int MAX_OVERRIDES = 50;

  private PolicyChecks() {}

  static void checkMatchers(
      FieldErrors errors, String path, List<FailureMatcher> matchers, boolean required) {
    errors.require(
        !required || !matchers.isEmpty(),
        path,
        "must not be empty: name at least one failure, or * for all");
    errors.require(
        matchers.size() <= MAX_MATCHERS,
        path,
        "has %d entries, at most %d are allowed".formatted(matchers.size(), MAX_MATCHERS));
  }

  static void checkCombination(
      FieldErrors errors,
      @Nullable Backoff backoff,
      @Nullable Jitter jitter,
      @Nullable Duration maxDelay,
      List<PolicyOverride> overrides) {
    boolean capped = maxDelay != null && errors.requireDelay("max_delay", maxDelay);
    Duration cap = capped ? maxDelay : null;
    checkJitter(errors, "jitter", backoff, jitter);
    checkMaxDelay(errors, "max_delay", backoff, cap);
    errors.require(
        overrides.size() <= MAX_OVERRIDES,
        "overrides",
        "has %d entries, at most %d are allowed".formatted(overrides.size(), MAX_OVERRIDES));
    for (int i = 0; i < Math.min(overrides.size(), MAX_OVERRIDES); i++) {
      checkOverride(errors, "overrides[" + i + "]", overrides.get(i), backoff, jitter, cap);
    }
  }

  private static void checkOverride(
      FieldErrors errors,
      String path,
      PolicyOverride override,
      @Nullable Backoff backoff,
      @Nullable Jitter jitter,
      @Nullable Duration maxDelay) {
    if (override.backoff() != null || override.jitter() != null) {
      checkJitter(
          errors,
          path + (override.jitter() != null ? ".jitter" : ".backoff"),
          override.backoff() != null ? override.backoff() : backoff,
          override.jitter() != null ? override.jitter() : jitter);
    }
    if (override.backoff() != null || override.maxDelay() != null) {
      checkMaxDelay(
          errors,
          path + (override.maxDelay() != null ? ".max_delay" : ".backoff"),
          override.backoff() != null ? override.backoff() : backoff,
          override.maxDelay() != null ? override.maxDelay() : maxDelay);
    }
  }

  private static void checkJitter(
      FieldErrors errors, String path, @Nullable Backoff backoff, @Nullable Jitter jitter) {
    errors.require(
        !(jitter instanceof Jitter.Decorrelated)
            || backoff == null
            || backoff instanceof Backoff.Growing,
        path,
        "decorrelated jitter requires a linear or exponential backoff");
  }

  private static void checkMaxDelay(
      FieldErrors errors, String path, @Nullable Backoff backoff, @Nullable Duration maxDelay) {
    Duration first =
        switch (backoff) {
          case null -> null;
          case Backoff.Growing growing -> growing.initial();
          case Backoff.Fixed fixed -> fixed.delay();
          case Backoff.Immediate immediate -> null;
          case Backoff.Schedule schedule -> null;
          case Backoff.Ladder ladder -> null;
        };
    if (first == null || maxDelay == null) {
      return;
    }
    errors.require(
        maxDelay.compareTo(first) >= 0,
        path,
        "max_delay %s is shorter than the first delay %s"
            .formatted(DurationText.format(maxDelay), DurationText.format(first)));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What must hold between the parts of a policy. A part that is missing is not checked. */
final class PolicyChecks {

  private static final int MAX_MATCHERS = 100;
  private static final int MAX_OVERRIDES = 50;

  private PolicyChecks() {}

  static void checkMatchers(
      FieldErrors fieldErrors, String path, List<FailureMatcher> matchers, boolean required) {
    fieldErrors.require(
        !required || !matchers.isEmpty(),
        path,
        "must not be empty: name at least one failure, or * for all");
    fieldErrors.require(
        matchers.size() <= MAX_MATCHERS,
        path,
        "has %d entries, at most %d are allowed".formatted(matchers.size(), MAX_MATCHERS));
  }

  static void checkCombination(
      FieldErrors fieldErrors,
      @Nullable Backoff backoff,
      @Nullable Jitter jitter,
      @Nullable Duration maxDelay,
      List<PolicyOverride> overrides) {
    boolean capped = maxDelay != null && fieldErrors.requireDelay("max_delay", maxDelay);
    Duration cap = capped ? maxDelay : null;
    checkJitter(fieldErrors, "jitter", backoff, jitter);
    checkMaxDelay(fieldErrors, "max_delay", backoff, cap);
    fieldErrors.require(
        overrides.size() <= MAX_OVERRIDES,
        "overrides",
        "has %d entries, at most %d are allowed".formatted(overrides.size(), MAX_OVERRIDES));
    for (int i = 0; i < Math.min(overrides.size(), MAX_OVERRIDES); i++) {
      checkOverride(fieldErrors, "overrides[" + i + "]", overrides.get(i), backoff, jitter, cap);
    }
  }

  private static void checkOverride(
      FieldErrors fieldErrors,
      String path,
      PolicyOverride override,
      @Nullable Backoff backoff,
      @Nullable Jitter jitter,
      @Nullable Duration maxDelay) {
    if (override.backoff() != null || override.jitter() != null) {
      checkJitter(
          fieldErrors,
          path + (override.jitter() != null ? ".jitter" : ".backoff"),
          override.backoff() != null ? override.backoff() : backoff,
          override.jitter() != null ? override.jitter() : jitter);
    }
    if (override.backoff() != null || override.maxDelay() != null) {
      checkMaxDelay(
          fieldErrors,
          path + (override.maxDelay() != null ? ".max_delay" : ".backoff"),
          override.backoff() != null ? override.backoff() : backoff,
          override.maxDelay() != null ? override.maxDelay() : maxDelay);
    }
  }

  private static void checkJitter(
      FieldErrors fieldErrors, String path, @Nullable Backoff backoff, @Nullable Jitter jitter) {
    fieldErrors.require(
        !(jitter instanceof Jitter.Decorrelated)
            || backoff == null
            || backoff instanceof Backoff.Growing,
        path,
        "decorrelated jitter goes with a linear or exponential backoff only");
  }

  private static void checkMaxDelay(
      FieldErrors fieldErrors,
      String path,
      @Nullable Backoff backoff,
      @Nullable Duration maxDelay) {
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
    fieldErrors.require(
        maxDelay.compareTo(first) >= 0,
        path,
        "max_delay %s is shorter than the first delay %s"
            .formatted(DurationText.format(maxDelay), DurationText.format(first)));
  }
}

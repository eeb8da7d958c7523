// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.DecisionPreview.DelayBounds;
import dev.perdure.policy.DurationWords;
import dev.perdure.policy.EffectivePolicy;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.LadderPosition;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Says in English why a policy retries a failure, and why it waits as long as it does. */
public final class DecisionWords {

  private final RetryPolicy policy;
  private final Failure failure;

  private DecisionWords(RetryPolicy policy, Failure failure) {
    this.policy = policy;
    this.failure = failure;
  }

  /**
   * Describes a decision to retry: the matcher that won, the number of the retry, its delay and
   * what limited it. Empty if the policy does not retry the failure.
   */
  public static List<String> of(RetryPolicy policy, DecisionContext context, Failure failure) {
    return policy.preview(context, failure) instanceof DelayBounds bounds
        ? new DecisionWords(policy, failure).lines(context, bounds)
        : List.of();
  }

  private List<String> lines(DecisionContext context, DelayBounds bounds) {
    List<String> lines = new ArrayList<>();
    lines.add(matcher());
    for (int i = 0; i < policy.overrides().size(); i++) {
      if (policy.overrides().get(i).matches(failure)) {
        lines.add("Override %d has other rules for it.".formatted(i + 1));
        break;
      }
    }
    lines.add(delay(context.attempt() + 1, bounds));
    Duration maxDelay = EffectivePolicy.of(policy, failure).maxDelay();
    if (maxDelay != null && maxDelay.equals(bounds.base())) {
      lines.add("The delay is never longer than %s.".formatted(words(maxDelay)));
    }
    if (isCutByExpiry(context, bounds)) {
      lines.add("No retry starts after it expires, which cuts the delay.");
    }
    return lines;
  }

  /** The most specific matcher wins. */
  private String matcher() {
    FailureMatcher best =
        policy.retryOn().stream()
            .max(Comparator.comparingInt(matcher -> matcher.specificity(failure)))
            .orElse(FailureMatcher.any());
    return best instanceof FailureMatcher.Any
        ? "Every failure is retried."
        : "%s matches %s in retry_on.".formatted(failure(failure), best.text());
  }

  /** Names a failure: "HTTP 503", "The code no_slots", "java.io.IOException", "A timeout". */
  public static String failure(Failure failure) {
    if (failure.code() != null) {
      return "The code " + failure.code();
    }
    if (failure.hasStatus()) {
      return "HTTP " + failure.status();
    }
    if (!failure.exceptionTypes().isEmpty()) {
      return failure.exceptionTypes().getFirst();
    }
    return switch (failure.kind()) {
      case TIMEOUT -> "A timeout";
      case WEBHOOK_FAILURE -> "A webhook that failed";
      case EXPLICIT -> "A reported failure";
      case EXCEPTION -> "An exception";
      case HTTP -> "An HTTP call that failed";
    };
  }

  private String delay(long retry, DelayBounds bounds) {
    LadderPosition place = LadderPosition.of(policy, failure, retry);
    String step =
        place.steps() == 1 ? "" : ", step %d of %d".formatted(place.step(), place.steps());
    String number = place.endless() ? "" + place.retry() : place.retryText().replace("/", " of ");
    String base = words(bounds.base());
    if (bounds.earliest().equals(bounds.latest())) {
      return "Retry %s%s: after %s.".formatted(number, step, words(bounds.earliest()));
    }
    String range = "%s to %s".formatted(words(bounds.earliest()), words(bounds.latest()));
    return EffectivePolicy.of(policy, failure).jitter() instanceof Jitter.Decorrelated
        ? "Retry %s%s: any delay from %s, by the delay before it.".formatted(number, step, range)
        : "Retry %s%s: %s, with jitter %s.".formatted(number, step, base, range);
  }

  private boolean isCutByExpiry(DecisionContext context, DelayBounds bounds) {
    Duration age = context.age();
    Instant now = context.now();
    return switch (policy.expiry()) {
      case Expiry.Never never -> false;
      case Expiry.After after -> age != null && isSame(after.age().minus(age), bounds);
      case Expiry.At at -> now != null && isSame(Duration.between(now, at.instant()), bounds);
    };
  }

  private static boolean isSame(Duration left, DelayBounds bounds) {
    return left.toMillis() == bounds.latest().toMillis();
  }

  /** Says when a policy expires; empty if it does not. */
  public static List<String> expiry(RetryPolicy policy) {
    return switch (policy.expiry()) {
      case Expiry.Never never -> List.of();
      case Expiry.After after ->
          List.of("No retry starts later than %s after it was due.".formatted(words(after.age())));
      case Expiry.At at ->
          List.of("No retry starts after %s.".formatted(InstantText.of(at.instant())));
    };
  }

  private static String words(Duration duration) {
    return DurationWords.of(duration);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryAfter;
import dev.perdure.policy.RetryLimit;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes a policy in words. */
final class PolicyText {

  private static final int MAX_DELAYS = 12;

  private PolicyText() {}

  /** One property of a policy. */
  record Field(String label, String text) {}

  static List<Field> of(RetryPolicy policy) {
    if (policy.isNone()) {
      return List.of(new Field("retries", "none: the first failure is final"));
    }
    List<Field> fields = new ArrayList<>();
    fields.add(new Field("retries", limit(policy.maxRetries(), policy.backoff())));
    fields.add(new Field("delay", delay(policy.backoff(), policy.maxDelay(), policy.maxRetries())));
    fields.add(new Field("jitter", jitter(policy.jitter())));
    fields.add(new Field("expiry", expiry(policy.expiry())));
    fields.add(new Field("retry on", matchers(policy.retryOn())));
    if (!policy.neverOn().isEmpty()) {
      fields.add(
          new Field("never on", matchers(policy.neverOn()) + ", unless retry on is more specific"));
    }
    fields.add(new Field("Retry-After", retryAfter(policy.retryAfter())));
    for (PolicyOverride override : policy.overrides()) {
      fields.add(new Field("override", override(override, policy)));
    }
    return fields;
  }

  private static String limit(RetryLimit limit, Backoff backoff) {
    if (!limit.unlimited()) {
      return limit.retries() == 0
          ? "none: the first failure is final"
          : "at most %s (%s in total)"
              .formatted(
                  NumberFormatting.count(limit.retries(), "retry", "retries"),
                  NumberFormatting.count(limit.retries() + 1L, "attempt", "attempts"));
    }
    if (!(backoff instanceof Backoff.Ladder ladder) || ladder.endless()) {
      return "unlimited";
    }
    long retries = ladder.steps().stream().mapToLong(Backoff.Step::count).sum();
    return "until the ladder ends: " + NumberFormatting.count(retries, "retry", "retries");
  }

  private static String delay(Backoff backoff, @Nullable Duration maxDelay, RetryLimit limit) {
    String cap = maxDelay == null ? "" : ", at most " + DurationText.format(maxDelay);
    return backoff(backoff, limit) + cap;
  }

  private static String backoff(Backoff backoff, RetryLimit limit) {
    return switch (backoff) {
      case Backoff.Immediate immediate -> "none: retries at once";
      case Backoff.Fixed fixed -> "fixed: " + DurationText.format(fixed.delay()) + " each time";
      case Backoff.Linear linear ->
          "linear: %s first, then %s more each time"
              .formatted(
                  DurationText.format(linear.initial()), DurationText.format(linear.increment()));
      case Backoff.Exponential exponential ->
          "exponential: %s first, then %s × the previous one"
              .formatted(
                  DurationText.format(exponential.initial()),
                  NumberFormatting.plain(exponential.multiplier(), 3));
      case Backoff.Schedule schedule -> schedule(schedule, limit);
      case Backoff.Ladder ladder ->
          ladder.steps().stream()
              .map(PolicyText::step)
              .collect(Collectors.joining(", then ", "ladder: ", ""));
    };
  }

  private static String schedule(Backoff.Schedule schedule, RetryLimit limit) {
    List<Duration> delays = schedule.delays();
    String named =
        delays.stream()
            .limit(MAX_DELAYS)
            .map(DurationText::format)
            .collect(Collectors.joining(", ", "schedule: ", ""));
    String more = delays.size() > MAX_DELAYS ? ", … " + (delays.size() - MAX_DELAYS) + " more" : "";
    boolean repeats = limit.unlimited() || limit.retries() > delays.size();
    return named + more + (repeats ? ", then repeats the last one" : "");
  }

  private static String step(Backoff.Step step) {
    String delay = DurationText.format(step.delay());
    return step.endless() ? delay + " forever" : step.count() + " × " + delay;
  }

  private static String jitter(Jitter jitter) {
    return switch (jitter) {
      case Jitter.None none -> "none: all clients wait equally long";
      case Jitter.Full full -> "full: random between 0 and the delay";
      case Jitter.Equal equal -> "equal: random between half the delay and the delay";
      case Jitter.Spread spread ->
          "spread: the delay ± " + NumberFormatting.percent(spread.factor());
      case Jitter.Add add -> "add: the delay plus up to " + NumberFormatting.percent(add.factor());
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
    RetryLimit limit = override.maxRetries() == null ? policy.maxRetries() : override.maxRetries();
    Backoff backoff = override.backoff() == null ? policy.backoff() : override.backoff();
    if (override.maxRetries() != null) {
      changes.add(limit.unlimited() ? "unlimited retries" : limit(limit, backoff));
    }
    if (override.backoff() != null) {
      changes.add(backoff(backoff, limit));
    }
    if (override.jitter() != null) {
      changes.add("jitter " + jitter(override.jitter()));
    }
    if (override.maxDelay() != null) {
      changes.add("at most " + DurationText.format(override.maxDelay()));
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

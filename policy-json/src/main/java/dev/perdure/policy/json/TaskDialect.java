// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyDraft;
import dev.perdure.policy.RetryLimit;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the task dialect, known from task queues: an exponential backoff in seconds, without
 * jitter.
 */
final class TaskDialect {

  /** The fields that no other dialect has. */
  static final List<String> OWN_FIELDS =
      List.of("initial_delay_secs", "backoff_multiplier", "max_delay_secs");

  private static final Duration DEFAULT_INITIAL = Duration.ofSeconds(5);
  private static final Duration MIN_INITIAL = Duration.ofSeconds(1);
  private static final Duration DEFAULT_MAX = Duration.ofMinutes(5);

  private TaskDialect() {}

  static void read(JsonObjectReader object, PolicyParseState state) {
    PathTranslator paths = state.paths();
    paths.map("backoff.initial", "initial_delay_secs");
    paths.map("backoff", "");
    paths.map("jitter", "");
    paths.map("max_delay", "max_delay_secs");
    PolicyDraft draft = state.draft();
    draft.jitter(Jitter.none());
    draft.maxRetries(limit(object.required("max_retries")));
    JsonValueReader initial = object.nonNull("initial_delay_secs");
    Duration first = initial == null ? state.cut(DEFAULT_INITIAL) : initial(initial);
    double multiplier = BackoffReader.multiplier(object.nonNull("backoff_multiplier"));
    if (first != null) {
      draft.backoff(Backoff.exponential(first, multiplier));
    }
    JsonValueReader max = object.nonNull("max_delay_secs");
    draft.maxDelay(
        max == null
            ? defaultMaxDelay(initial, first, state)
            : max.positiveDurationIn(ChronoUnit.SECONDS));
    JsonValueReader matched = object.nonNull("retry_on");
    List<FailureMatcher> retryOn = matched == null ? null : MatcherListReader.read(matched);
    if (retryOn != null) {
      draft.retryOn(retryOn);
    }
    object.rejectUnknown(PolicyDialect.TASK);
  }

  private static @Nullable RetryLimit limit(@Nullable JsonValueReader value) {
    if (value == null) {
      return null;
    }
    if (value.isNull()) {
      value.addError("must be a whole number; unlimited retries need a policy with 'backoff'");
      return null;
    }
    Integer retries = value.integer(0);
    if (retries != null && retries == 0) {
      value.addError(
          "must be 1 or more when there are other fields; {\"max_retries\": 0} alone never retries");
      return null;
    }
    return retries == null ? null : RetryLimit.of(retries);
  }

  private static @Nullable Duration initial(JsonValueReader value) {
    Duration initial = value.durationIn(ChronoUnit.SECONDS);
    if (initial == null || initial.compareTo(MIN_INITIAL) >= 0) {
      return initial;
    }
    value.addError("must be 1 or more, not " + value.describe());
    return null;
  }

  /**
   * Returns the maximum delay of a policy that does not set it; null if the initial delay exceeds
   * the default. That error is reported at the initial delay.
   */
  private static @Nullable Duration defaultMaxDelay(
      @Nullable JsonValueReader initial, @Nullable Duration first, PolicyParseState state) {
    Duration max = state.cut(DEFAULT_MAX);
    if (initial == null || first == null || first.compareTo(max) <= 0) {
      return max;
    }
    if (state.cut(first).equals(first)) {
      initial.addError(
          "%s is longer than max_delay_secs, which is %d by default: set max_delay_secs too"
              .formatted(initial.describe(), DEFAULT_MAX.toSeconds()));
    }
    return null;
  }
}

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

/** Reads the dialect of task queues: an exponential backoff in seconds, without jitter. */
final class TaskDialect {

  /** The fields that no other form has. */
  static final List<String> OWN_FIELDS =
      List.of("initial_delay_secs", "backoff_multiplier", "max_delay_secs");

  private static final Duration DEFAULT_INITIAL = Duration.ofSeconds(5);
  private static final Duration LEAST_INITIAL = Duration.ofSeconds(1);
  private static final Duration DEFAULT_MAX = Duration.ofMinutes(5);

  private TaskDialect() {}

  static void read(Fields fields, Reading reading) {
    Paths paths = reading.paths();
    paths.show("backoff.initial", "initial_delay_secs");
    paths.show("backoff", "max_delay_secs");
    paths.show("max_delay", "max_delay_secs");
    PolicyDraft draft = reading.draft();
    draft.jitter(Jitter.none());
    draft.maxRetries(limit(fields.required("max_retries")));
    Value initial = fields.given("initial_delay_secs");
    Duration first = initial == null ? DEFAULT_INITIAL : initial(initial);
    Value named = fields.given("backoff_multiplier");
    Double multiplier = BackoffForm.multiplier(named);
    if (first != null && multiplier != null) {
      draft.backoff(Backoff.exponential(first, multiplier));
    }
    draft.maxDelay(maxDelay(fields.given("max_delay_secs"), initial, first));
    Value matched = fields.given("retry_on");
    List<FailureMatcher> retryOn = matched == null ? null : Matchers.read(matched);
    if (retryOn != null) {
      draft.retryOn(retryOn);
    }
    fields.refuseOthers(Form.TASK);
  }

  private static @Nullable RetryLimit limit(@Nullable Value value) {
    if (value == null) {
      return null;
    }
    if (value.isNull()) {
      value.wrong("must be a whole number; retries without limit need a policy with 'backoff'");
      return null;
    }
    Integer retries = value.whole(0);
    if (retries != null && retries == 0) {
      value.wrong(
          "must be 1 or more beside other fields; {\"max_retries\": 0} alone never retries");
      return null;
    }
    return retries == null ? null : RetryLimit.of(retries);
  }

  private static @Nullable Duration initial(Value value) {
    Duration initial = value.lengthIn(ChronoUnit.SECONDS);
    if (initial == null || initial.compareTo(LEAST_INITIAL) >= 0) {
      return initial;
    }
    value.wrong("must be 1 or more, not " + value.described());
    return null;
  }

  /** The cap; one that nobody wrote and that the first delay passes is told at that delay. */
  private static @Nullable Duration maxDelay(
      @Nullable Value named, @Nullable Value initial, @Nullable Duration first) {
    if (named != null) {
      return named.delayIn(ChronoUnit.SECONDS);
    }
    if (initial == null || first == null || first.compareTo(DEFAULT_MAX) <= 0) {
      return DEFAULT_MAX;
    }
    initial.wrong(
        "%s is longer than max_delay_secs, which is %d unless it is set: set max_delay_secs too"
            .formatted(initial.described(), DEFAULT_MAX.toSeconds()));
    return null;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyDraft;
import dev.perdure.policy.RetryLimit;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the dialect of workflow engines: a named strategy, in snake or camel case, no jitter. */
final class StrategyDialect {

  private static final String IMMEDIATE = "immediate";
  private static final String EXPONENTIAL = "exponential_backoff";
  private static final String FIXED = "fixed_delay";
  private static final String CUSTOM = "custom";
  private static final List<String> STRATEGIES = List.of(IMMEDIATE, EXPONENTIAL, FIXED, CUSTOM);
  private static final BigDecimal DEFAULT_MULTIPLIER =
      BigDecimal.valueOf(Backoff.Exponential.DEFAULT_MULTIPLIER);

  private final Fields fields;
  private final Reading reading;

  private StrategyDialect(Fields fields, Reading reading) {
    this.fields = fields;
    this.reading = reading;
  }

  static void read(Fields fields, Reading reading) {
    StrategyDialect dialect = new StrategyDialect(fields, reading);
    dialect.names();
    reading.draft().jitter(Jitter.none());
    String strategy = dialect.strategy();
    dialect.limit();
    dialect.delays(strategy);
    dialect.matchersAndExpiry();
    fields.refuseOthers(Form.STRATEGY);
  }

  private void names() {
    Paths paths = reading.paths();
    paths.show("max_retries", fields.path("max_attempts"));
    paths.show("backoff", fields.path("max_delay_seconds"));
    paths.show("backoff.initial", fields.path("initial_delay_seconds"));
    paths.show("backoff.delay", fields.path("delay_seconds"));
    paths.show("max_delay", fields.path("max_delay_seconds"));
    paths.show("retry_on", fields.path("retry_on"));
  }

  private @Nullable String strategy() {
    Value full = fields.optional("retry_strategy");
    Value brief = fields.optional("strategy");
    if (full != null && brief != null) {
      brief.wrong("is the same field as retry_strategy: keep one");
    }
    Value value = full == null ? brief : full;
    return value == null ? null : value.word("strategy", STRATEGIES);
  }

  private void limit() {
    Value enabled = fields.given("enabled");
    boolean disabled = enabled != null && Boolean.FALSE.equals(enabled.truth());
    Value value = fields.optional("max_attempts");
    Integer retries = value == null ? Integer.valueOf(3) : value.whole(0);
    if (retries != null) {
      reading.draft().maxRetries(RetryLimit.of(retries));
    }
    if (disabled || (retries != null && retries == 0)) {
      reading.neverRetries();
    }
  }

  private void delays(@Nullable String strategy) {
    PolicyDraft draft = reading.draft();
    Value initial = used(strategy, EXPONENTIAL, "initial_delay_seconds", BigDecimal.ZERO);
    Value multiplier = used(strategy, EXPONENTIAL, "multiplier", DEFAULT_MULTIPLIER);
    Value maxDelay = used(strategy, EXPONENTIAL, "max_delay_seconds", null);
    Value fixed = used(strategy, FIXED, "delay_seconds", null);
    Value schedule = used(strategy, CUSTOM, "custom_schedule", null);
    Backoff exponential = exponential(initial, multiplier);
    draft.maxDelay(maxDelay == null ? null : maxDelay.delayIn(ChronoUnit.SECONDS));
    Duration delay = fixed == null ? null : fixed.delayIn(ChronoUnit.SECONDS);
    Backoff custom = schedule == null ? null : CustomSchedule.read(schedule, reading.paths());
    if (strategy == null) {
      return;
    }
    draft.backoff(
        switch (strategy) {
          case IMMEDIATE -> Backoff.immediate();
          case EXPONENTIAL -> exponential;
          case FIXED -> delay == null ? null : Backoff.fixed(delay);
          default -> custom;
        });
    require(fixed, strategy, FIXED, "delay_seconds");
    require(schedule, strategy, CUSTOM, "custom_schedule");
  }

  /** The field, when its strategy is the one at hand; elsewhere it may say what goes without it. */
  private @Nullable Value used(
      @Nullable String strategy, String user, String name, @Nullable BigDecimal otherwise) {
    Value value = fields.given(name);
    if (value == null || strategy == null || strategy.equals(user)) {
      return value;
    }
    boolean idle =
        otherwise != null
            && Numbers.of(value.json()).filter(it -> it.compareTo(otherwise) == 0).isPresent();
    if (!idle) {
      value.wrong("is used by %s, not by %s: leave it out".formatted(user, strategy));
    }
    return null;
  }

  private void require(@Nullable Value value, String strategy, String user, String name) {
    if (value == null && strategy.equals(user)) {
      reading.problems().add(fields.path(name), "is required by " + user);
    }
  }

  /** Nothing doubled stays nothing: an initial delay of 0 never waits. */
  private static @Nullable Backoff exponential(@Nullable Value initial, @Nullable Value named) {
    Duration first = initial == null ? Duration.ZERO : initial.lengthIn(ChronoUnit.SECONDS);
    Double multiplier = BackoffForm.multiplier(named);
    if (first == null || multiplier == null) {
      return null;
    }
    return first.isZero() ? Backoff.immediate() : Backoff.exponential(first, multiplier);
  }

  private void matchersAndExpiry() {
    PolicyDraft draft = reading.draft();
    Value retryOn = fields.given("retry_on");
    List<FailureMatcher> retried = retryOn == null ? null : Matchers.readWithClassNames(retryOn);
    if (retried != null) {
      draft.retryOn(retried);
    }
    Value ignored = fields.given("ignore_exceptions");
    List<FailureMatcher> refused = ignored == null ? null : Matchers.readWithClassNames(ignored);
    if (refused != null) {
      draft.neverOn(refused);
    }
    Value expiresAt = fields.given("expires_at");
    Instant instant = expiresAt == null ? null : expiresAt.instant();
    if (instant != null) {
      draft.expiry(Expiry.at(instant));
    }
  }
}

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

  private final JsonObjectReader jsonObjectReader;
  private final PolicyReadState policyReadState;

  private StrategyDialect(JsonObjectReader jsonObjectReader, PolicyReadState policyReadState) {
    this.jsonObjectReader = jsonObjectReader;
    this.policyReadState = policyReadState;
  }

  static void read(JsonObjectReader jsonObjectReader, PolicyReadState policyReadState) {
    StrategyDialect dialect = new StrategyDialect(jsonObjectReader, policyReadState);
    dialect.names();
    policyReadState.draft().jitter(Jitter.none());
    String strategy = dialect.strategy();
    dialect.limit();
    dialect.delays(strategy);
    dialect.matchersAndExpiry();
    jsonObjectReader.rejectUnknown(PolicyDialect.STRATEGY);
  }

  private void names() {
    PathTranslator pathTranslator = policyReadState.pathTranslator();
    pathTranslator.map("max_retries", jsonObjectReader.path("max_attempts"));
    pathTranslator.map("backoff", jsonObjectReader.path("max_delay_seconds"));
    pathTranslator.map("backoff.initial", jsonObjectReader.path("initial_delay_seconds"));
    pathTranslator.map("backoff.delay", jsonObjectReader.path("delay_seconds"));
    pathTranslator.map("max_delay", jsonObjectReader.path("max_delay_seconds"));
    pathTranslator.map("retry_on", jsonObjectReader.path("retry_on"));
  }

  private @Nullable String strategy() {
    JsonValueReader full = jsonObjectReader.optional("retry_strategy");
    JsonValueReader brief = jsonObjectReader.optional("strategy");
    if (full != null && brief != null) {
      brief.addError("is the same field as retry_strategy: keep one");
    }
    JsonValueReader jsonValueReader = full == null ? brief : full;
    return jsonValueReader == null ? null : jsonValueReader.oneOf("strategy", STRATEGIES);
  }

  private void limit() {
    JsonValueReader enabled = jsonObjectReader.nonNull("enabled");
    boolean disabled = enabled != null && Boolean.FALSE.equals(enabled.bool());
    JsonValueReader jsonValueReader = jsonObjectReader.optional("max_attempts");
    Integer retries = jsonValueReader == null ? Integer.valueOf(3) : jsonValueReader.integer(0);
    if (retries != null) {
      policyReadState.draft().maxRetries(RetryLimit.of(retries));
    }
    if (disabled || (retries != null && retries == 0)) {
      policyReadState.neverRetries();
    }
  }

  private void delays(@Nullable String strategy) {
    PolicyDraft draft = policyReadState.draft();
    JsonValueReader initial = used(strategy, EXPONENTIAL, "initial_delay_seconds", BigDecimal.ZERO);
    JsonValueReader multiplier = used(strategy, EXPONENTIAL, "multiplier", DEFAULT_MULTIPLIER);
    JsonValueReader maxDelay = used(strategy, EXPONENTIAL, "max_delay_seconds", null);
    JsonValueReader fixed = used(strategy, FIXED, "delay_seconds", null);
    JsonValueReader schedule = used(strategy, CUSTOM, "custom_schedule", null);
    Backoff exponential = exponential(initial, multiplier);
    draft.maxDelay(maxDelay == null ? null : maxDelay.positiveDurationIn(ChronoUnit.SECONDS));
    Duration delay = fixed == null ? null : fixed.positiveDurationIn(ChronoUnit.SECONDS);
    Backoff custom =
        schedule == null
            ? null
            : CustomScheduleReader.read(schedule, policyReadState.pathTranslator());
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
  private @Nullable JsonValueReader used(
      @Nullable String strategy, String user, String name, @Nullable BigDecimal otherwise) {
    JsonValueReader jsonValueReader = jsonObjectReader.nonNull(name);
    if (jsonValueReader == null || strategy == null || strategy.equals(user)) {
      return jsonValueReader;
    }
    boolean idle =
        otherwise != null
            && JsonNumbers.of(jsonValueReader.json())
                .filter(it -> it.compareTo(otherwise) == 0)
                .isPresent();
    if (!idle) {
      jsonValueReader.addError("is used by %s, not by %s: leave it out".formatted(user, strategy));
    }
    return null;
  }

  private void require(
      @Nullable JsonValueReader jsonValueReader, String strategy, String user, String name) {
    if (jsonValueReader == null && strategy.equals(user)) {
      policyReadState.errors().add(jsonObjectReader.path(name), "is required by " + user);
    }
  }

  /** Nothing doubled stays nothing: an initial delay of 0 never waits. */
  private static @Nullable Backoff exponential(
      @Nullable JsonValueReader initial, @Nullable JsonValueReader named) {
    Duration first = initial == null ? Duration.ZERO : initial.durationIn(ChronoUnit.SECONDS);
    Double multiplier = BackoffReader.multiplier(named);
    if (first == null || multiplier == null) {
      return null;
    }
    return first.isZero() ? Backoff.immediate() : Backoff.exponential(first, multiplier);
  }

  private void matchersAndExpiry() {
    PolicyDraft draft = policyReadState.draft();
    JsonValueReader retryOn = jsonObjectReader.nonNull("retry_on");
    List<FailureMatcher> retried =
        retryOn == null ? null : MatcherListReader.readWithClassNames(retryOn);
    if (retried != null) {
      draft.retryOn(retried);
    }
    JsonValueReader ignored = jsonObjectReader.nonNull("ignore_exceptions");
    List<FailureMatcher> refused =
        ignored == null ? null : MatcherListReader.readWithClassNames(ignored);
    if (refused != null) {
      draft.neverOn(refused);
    }
    JsonValueReader expiresAt = jsonObjectReader.nonNull("expires_at");
    Instant instant = expiresAt == null ? null : expiresAt.instant();
    if (instant != null) {
      draft.expiry(Expiry.at(instant));
    }
  }
}

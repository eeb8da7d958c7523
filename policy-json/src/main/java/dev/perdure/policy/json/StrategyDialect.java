// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyDraft;
import dev.perdure.policy.RetryLimit;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the strategy dialect, known from workflow engines: a named strategy, in snake or camel
 * case, without jitter.
 */
final class StrategyDialect {

  private static final String IMMEDIATE = "immediate";
  private static final String EXPONENTIAL = "exponential_backoff";
  private static final String FIXED = "fixed_delay";
  private static final String CUSTOM = "custom";
  private static final List<String> STRATEGIES = List.of(IMMEDIATE, EXPONENTIAL, FIXED, CUSTOM);
  private static final BigDecimal DEFAULT_MULTIPLIER =
      BigDecimal.valueOf(Backoff.Exponential.DEFAULT_MULTIPLIER);

  private final JsonObjectReader object;
  private final PolicyParseState state;

  private StrategyDialect(JsonObjectReader object, PolicyParseState state) {
    this.object = object;
    this.state = state;
  }

  static void read(JsonObjectReader object, PolicyParseState state) {
    StrategyDialect dialect = new StrategyDialect(object, state);
    dialect.mapPaths();
    state.draft().jitter(Jitter.none());
    String strategy = dialect.strategy();
    dialect.limit();
    dialect.delays(strategy);
    dialect.matchersAndExpiry();
    object.rejectUnknown(PolicyDialect.STRATEGY);
  }

  private void mapPaths() {
    PathTranslator paths = state.paths();
    paths.map("max_retries", object.path("max_attempts"));
    paths.map("jitter", "");
    paths.map("backoff", object.path(object.has("strategy") ? "strategy" : "retry_strategy"));
    paths.map("backoff.initial", object.path("initial_delay_seconds"));
    paths.map("backoff.delay", object.path("delay_seconds"));
    paths.map("max_delay", object.path("max_delay_seconds"));
    paths.map("retry_on", object.path("retry_on"));
    paths.map("never_on", object.path("ignore_exceptions"));
    paths.map("expires_at", object.path("expires_at"));
  }

  private @Nullable String strategy() {
    JsonValueReader fullName = object.optional("retry_strategy");
    JsonValueReader shortName = object.optional("strategy");
    if (fullName != null && shortName != null) {
      shortName.addError("is the same field as retry_strategy: keep one");
    }
    object.neverSuggest("retry_strategy");
    object.neverSuggest("strategy");
    JsonValueReader value = fullName == null ? shortName : fullName;
    return value == null ? null : value.oneOf("strategy", STRATEGIES);
  }

  private void limit() {
    JsonValueReader enabled = object.nonNull("enabled");
    boolean disabled = enabled != null && Boolean.FALSE.equals(enabled.bool());
    JsonValueReader value = object.optional("max_attempts");
    Integer retries = value == null ? Integer.valueOf(state.cut(3)) : value.integer(0);
    if (retries != null) {
      state.draft().maxRetries(RetryLimit.of(retries));
    }
    if (disabled || (retries != null && retries == 0)) {
      state.neverRetries();
    }
  }

  private void delays(@Nullable String strategy) {
    PolicyDraft draft = state.draft();
    JsonValueReader initial = used(strategy, EXPONENTIAL, "initial_delay_seconds", BigDecimal.ZERO);
    JsonValueReader multiplier = used(strategy, EXPONENTIAL, "multiplier", DEFAULT_MULTIPLIER);
    JsonValueReader maxDelay = used(strategy, EXPONENTIAL, "max_delay_seconds", null);
    JsonValueReader fixed = used(strategy, FIXED, "delay_seconds", null);
    JsonValueReader schedule = used(strategy, CUSTOM, "custom_schedule", null);
    Backoff exponential = exponential(initial, multiplier);
    draft.maxDelay(maxDelay == null ? null : maxDelay.positiveDurationIn(ChronoUnit.SECONDS));
    Duration delay = fixed == null ? null : fixed.positiveDurationIn(ChronoUnit.SECONDS);
    Backoff custom = schedule == null ? null : CustomScheduleReader.read(schedule, state.paths());
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

  /**
   * Returns the field if it belongs to this strategy. With another strategy, only a value that has
   * no effect is allowed.
   */
  private @Nullable JsonValueReader used(
      @Nullable String strategy, String owner, String name, @Nullable BigDecimal neutral) {
    JsonValueReader value = object.nonNull(name);
    if (strategy != null && !strategy.equals(owner)) {
      object.neverSuggest(name);
    }
    if (value == null || strategy == null || strategy.equals(owner)) {
      return value;
    }
    boolean hasNoEffect =
        neutral != null
            && JsonNumbers.of(value.json()).filter(it -> it.compareTo(neutral) == 0).isPresent();
    if (!hasNoEffect) {
      value.addError("is used by %s, not by %s: remove it".formatted(owner, strategy));
    }
    return null;
  }

  private void require(
      @Nullable JsonValueReader value, String strategy, String owner, String name) {
    if (value == null && strategy.equals(owner)) {
      state.errors().add(object.path(name), "is required by " + owner);
    }
  }

  /** With an initial delay of 0, all delays are 0. */
  private static @Nullable Backoff exponential(
      @Nullable JsonValueReader initial, @Nullable JsonValueReader named) {
    Duration first = initial == null ? Duration.ZERO : initial.durationIn(ChronoUnit.SECONDS);
    double multiplier = BackoffReader.multiplier(named);
    if (first == null) {
      return null;
    }
    return first.isZero() ? Backoff.immediate() : Backoff.exponential(first, multiplier);
  }

  private void matchersAndExpiry() {
    PolicyDraft draft = state.draft();
    JsonValueReader retryOn = object.nonNull("retry_on");
    List<FailureMatcher> retried =
        retryOn == null ? null : MatcherListReader.readWithClassNames(retryOn);
    if (retried != null) {
      draft.retryOn(retried);
    }
    JsonValueReader ignored = object.nonNull("ignore_exceptions");
    List<FailureMatcher> neverRetried =
        ignored == null ? null : MatcherListReader.readWithClassNames(ignored);
    if (neverRetried != null) {
      draft.neverOn(neverRetried);
    }
    JsonValueReader expiresAt = object.nonNull("expires_at");
    if (expiresAt != null) {
      draft.expiry(state.expiresAt(expiresAt));
    }
  }
}

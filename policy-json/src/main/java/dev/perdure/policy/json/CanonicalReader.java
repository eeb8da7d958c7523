// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Expiry;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.PolicyDraft;
import dev.perdure.policy.RetryAfter;
import dev.perdure.policy.RetryLimit;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the canonical form, starting from the defaults or from a preset. */
final class CanonicalReader {

  static final List<String> PRESETS = List.of("http", "queue", "transient");

  private final JsonObjectReader object;
  private final PolicyParseState state;

  private CanonicalReader(JsonObjectReader object, PolicyParseState state) {
    this.object = object;
    this.state = state;
  }

  static void read(JsonObjectReader object, PolicyParseState state) {
    CanonicalReader reader = new CanonicalReader(object, state);
    reader.preset();
    reader.maxRetries();
    reader.delays();
    reader.expiry();
    reader.matchers();
    reader.retryAfter();
    reader.overrides();
    object.rejectUnknown(PolicyDialect.CANONICAL);
  }

  private void preset() {
    JsonValueReader preset = object.optional("preset");
    String name = preset == null ? null : preset.oneOf("preset", PRESETS);
    if (name == null) {
      return;
    }
    state.startFrom(
        switch (name) {
          case "http" -> RetryPolicy.http();
          case "queue" -> RetryPolicy.queue();
          default -> RetryPolicy.transientErrors();
        });
    for (String field : List.of("backoff", "jitter", "max_delay", "overrides")) {
      if (!object.has(field)) {
        state
            .paths()
            .addRemark(field, " (%s comes from the preset: set your own)".formatted(field));
      }
    }
  }

  private void maxRetries() {
    JsonValueReader value = object.optional("max_retries");
    if (value == null) {
      return;
    }
    RetryLimit limit = limit(value);
    state.draft().maxRetries(limit);
    // Without this, the overrides of the http preset would still retry.
    boolean onlyPresetOverrides = object.has("preset") && !object.has("overrides");
    if (onlyPresetOverrides && RetryLimit.none().equals(limit)) {
      state.neverRetries();
    }
  }

  /** Reads a number of retries; JSON null means no limit. */
  static @Nullable RetryLimit limit(JsonValueReader value) {
    if (value.isNull()) {
      return RetryLimit.noLimit();
    }
    Integer retries = value.integer(0);
    return retries == null ? null : RetryLimit.of(retries);
  }

  private void delays() {
    PolicyDraft draft = state.draft();
    JsonValueReader backoff = object.optional("backoff");
    if (backoff != null) {
      draft.backoff(BackoffReader.read(backoff));
    }
    JsonValueReader jitter = object.optional("jitter");
    if (jitter != null) {
      draft.jitter(JitterReader.read(jitter));
    }
    JsonValueReader maxDelay = object.optional("max_delay");
    if (maxDelay != null) {
      draft.maxDelay(maxDelay.duration());
    }
  }

  private void expiry() {
    JsonValueReader after = object.optional("expires_after");
    Duration age = after == null ? null : after.duration();
    JsonValueReader at = object.optional("expires_at");
    Expiry instant = at == null ? null : state.expiresAt(at);
    if (after == null && at == null) {
      return;
    }
    object.neverSuggest("expires_after");
    object.neverSuggest("expires_at");
    if (after != null && at != null) {
      at.addError("cannot be combined with expires_after: keep one of them");
    }
    state.draft().expiry(age == null ? instant : Expiry.after(age));
  }

  private void matchers() {
    JsonValueReader retryOn = object.optional("retry_on");
    List<FailureMatcher> retried = retryOn == null ? null : MatcherListReader.read(retryOn);
    if (retried != null) {
      state.draft().retryOn(retried);
    }
    JsonValueReader neverOn = object.optional("never_on");
    List<FailureMatcher> neverRetried = neverOn == null ? null : MatcherListReader.read(neverOn);
    if (neverRetried != null) {
      state.draft().neverOn(neverRetried);
    }
  }

  private void retryAfter() {
    JsonValueReader value = object.optional("retry_after");
    JsonObjectReader parts = value == null ? null : value.object();
    if (parts == null) {
      return;
    }
    JsonValueReader honored = parts.optional("honor");
    Boolean honor = honored == null ? Boolean.TRUE : honored.bool();
    JsonValueReader limit = parts.optional("cap");
    Duration cap = limit == null ? RetryAfter.DEFAULT_CAP : limit.duration();
    parts.rejectUnknown();
    if (honor != null && cap != null) {
      state.draft().retryAfter(new RetryAfter(honor, cap));
    }
  }

  private void overrides() {
    JsonValueReader value = object.optional("overrides");
    if (value != null) {
      state.draft().overrides(OverridesReader.read(value, state));
    }
  }
}

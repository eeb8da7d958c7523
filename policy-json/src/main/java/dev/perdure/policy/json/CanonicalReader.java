// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Expiry;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.PolicyDraft;
import dev.perdure.policy.RetryAfter;
import dev.perdure.policy.RetryLimit;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the canonical form, from the defaults or from a preset whose fields it replaces. */
final class CanonicalReader {

  private static final List<String> PRESETS = List.of("http", "queue", "transient");

  private final JsonObjectReader jsonObjectReader;
  private final PolicyReadState policyReadState;

  private CanonicalReader(JsonObjectReader jsonObjectReader, PolicyReadState policyReadState) {
    this.jsonObjectReader = jsonObjectReader;
    this.policyReadState = policyReadState;
  }

  static void read(JsonObjectReader jsonObjectReader, PolicyReadState policyReadState) {
    CanonicalReader form = new CanonicalReader(jsonObjectReader, policyReadState);
    form.preset();
    form.maxRetries();
    form.delays();
    form.expiry();
    form.matchers();
    form.retryAfter();
    form.overrides();
    jsonObjectReader.rejectUnknown(PolicyDialect.CANONICAL);
  }

  private void preset() {
    JsonValueReader preset = jsonObjectReader.optional("preset");
    String name = preset == null ? null : preset.oneOf("preset", PRESETS);
    if (name == null) {
      return;
    }
    policyReadState.startFrom(
        switch (name) {
          case "http" -> RetryPolicy.http();
          case "queue" -> RetryPolicy.queue();
          default -> RetryPolicy.transientErrors();
        });
    for (String field : List.of("backoff", "jitter", "max_delay", "overrides")) {
      if (!jsonObjectReader.has(field)) {
        policyReadState
            .pathTranslator()
            .addRemark(field, " (%s comes from the preset: write your own)".formatted(field));
      }
    }
  }

  private void maxRetries() {
    JsonValueReader jsonValueReader = jsonObjectReader.optional("max_retries");
    if (jsonValueReader == null) {
      return;
    }
    RetryLimit limit = limit(jsonValueReader);
    policyReadState.draft().maxRetries(limit);
    // Without this, the http preset's own overrides would go on retrying.
    boolean ofPresetAlone = jsonObjectReader.has("preset") && !jsonObjectReader.has("overrides");
    if (ofPresetAlone && RetryLimit.none().equals(limit)) {
      policyReadState.neverRetries();
    }
  }

  /** A number of retries, or null for no limit. */
  static @Nullable RetryLimit limit(JsonValueReader jsonValueReader) {
    if (jsonValueReader.isNull()) {
      return RetryLimit.noLimit();
    }
    Integer retries = jsonValueReader.integer(0);
    return retries == null ? null : RetryLimit.of(retries);
  }

  private void delays() {
    PolicyDraft draft = policyReadState.draft();
    JsonValueReader backoff = jsonObjectReader.optional("backoff");
    if (backoff != null) {
      draft.backoff(BackoffReader.read(backoff));
    }
    JsonValueReader jitter = jsonObjectReader.optional("jitter");
    if (jitter != null) {
      draft.jitter(JitterReader.read(jitter));
    }
    JsonValueReader maxDelay = jsonObjectReader.optional("max_delay");
    if (maxDelay != null) {
      draft.maxDelay(maxDelay.duration());
    }
  }

  private void expiry() {
    JsonValueReader after = jsonObjectReader.optional("expires_after");
    Duration age = after == null ? null : after.duration();
    JsonValueReader at = jsonObjectReader.optional("expires_at");
    Instant instant = at == null ? null : at.instant();
    if (after != null && at != null) {
      at.addError("stands beside expires_after: keep one of them");
    } else if (age != null) {
      policyReadState.draft().expiry(Expiry.after(age));
    } else if (instant != null) {
      policyReadState.draft().expiry(Expiry.at(instant));
    }
  }

  private void matchers() {
    JsonValueReader retryOn = jsonObjectReader.optional("retry_on");
    List<FailureMatcher> retried = retryOn == null ? null : MatcherListReader.read(retryOn);
    if (retried != null) {
      policyReadState.draft().retryOn(retried);
    }
    JsonValueReader neverOn = jsonObjectReader.optional("never_on");
    List<FailureMatcher> refused = neverOn == null ? null : MatcherListReader.read(neverOn);
    if (refused != null) {
      policyReadState.draft().neverOn(refused);
    }
  }

  private void retryAfter() {
    JsonValueReader jsonValueReader = jsonObjectReader.optional("retry_after");
    JsonObjectReader parts = jsonValueReader == null ? null : jsonValueReader.object();
    if (parts == null) {
      return;
    }
    JsonValueReader honored = parts.optional("honor");
    Boolean honor = honored == null ? Boolean.TRUE : honored.bool();
    JsonValueReader longest = parts.optional("cap");
    Duration cap = longest == null ? RetryAfter.DEFAULT_CAP : longest.duration();
    parts.rejectUnknown();
    if (honor != null && cap != null) {
      policyReadState.draft().retryAfter(new RetryAfter(honor, cap));
    }
  }

  private void overrides() {
    JsonValueReader jsonValueReader = jsonObjectReader.optional("overrides");
    if (jsonValueReader != null) {
      policyReadState
          .draft()
          .overrides(OverridesReader.read(jsonValueReader, policyReadState.pathTranslator()));
    }
  }
}

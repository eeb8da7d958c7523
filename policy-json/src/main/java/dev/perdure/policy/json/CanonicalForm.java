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
final class CanonicalForm {

  private static final List<String> PRESETS = List.of("http", "queue", "transient");

  private final Fields fields;
  private final Reading reading;

  private CanonicalForm(Fields fields, Reading reading) {
    this.fields = fields;
    this.reading = reading;
  }

  static void read(Fields fields, Reading reading) {
    CanonicalForm form = new CanonicalForm(fields, reading);
    form.preset();
    form.maxRetries();
    form.delays();
    form.expiry();
    form.matchers();
    form.retryAfter();
    form.overrides();
    fields.refuseOthers(Form.CANONICAL);
  }

  private void preset() {
    Value preset = fields.optional("preset");
    String name = preset == null ? null : preset.word("preset", PRESETS);
    if (name == null) {
      return;
    }
    reading.startFrom(
        switch (name) {
          case "http" -> RetryPolicy.http();
          case "queue" -> RetryPolicy.queue();
          default -> RetryPolicy.transientErrors();
        });
    for (String field : List.of("backoff", "jitter", "max_delay", "overrides")) {
      if (!fields.has(field)) {
        reading
            .paths()
            .remark(field, " (%s comes from the preset: write your own)".formatted(field));
      }
    }
  }

  private void maxRetries() {
    Value value = fields.optional("max_retries");
    if (value == null) {
      return;
    }
    RetryLimit limit = limit(value);
    reading.draft().maxRetries(limit);
    // Without this, the http preset's own overrides would go on retrying.
    boolean ofPresetAlone = fields.has("preset") && !fields.has("overrides");
    if (ofPresetAlone && RetryLimit.none().equals(limit)) {
      reading.neverRetries();
    }
  }

  /** A number of retries, or null for no limit. */
  static @Nullable RetryLimit limit(Value value) {
    if (value.isNull()) {
      return RetryLimit.noLimit();
    }
    Integer retries = value.whole(0);
    return retries == null ? null : RetryLimit.of(retries);
  }

  private void delays() {
    PolicyDraft draft = reading.draft();
    Value backoff = fields.optional("backoff");
    if (backoff != null) {
      draft.backoff(BackoffForm.read(backoff));
    }
    Value jitter = fields.optional("jitter");
    if (jitter != null) {
      draft.jitter(JitterForm.read(jitter));
    }
    Value maxDelay = fields.optional("max_delay");
    if (maxDelay != null) {
      draft.maxDelay(maxDelay.delay());
    }
  }

  private void expiry() {
    Value after = fields.optional("expires_after");
    Duration age = after == null ? null : after.delay();
    Value at = fields.optional("expires_at");
    Instant instant = at == null ? null : at.instant();
    if (after != null && at != null) {
      at.wrong("stands beside expires_after: keep one of them");
    } else if (age != null) {
      reading.draft().expiry(Expiry.after(age));
    } else if (instant != null) {
      reading.draft().expiry(Expiry.at(instant));
    }
  }

  private void matchers() {
    Value retryOn = fields.optional("retry_on");
    List<FailureMatcher> retried = retryOn == null ? null : Matchers.read(retryOn);
    if (retried != null) {
      reading.draft().retryOn(retried);
    }
    Value neverOn = fields.optional("never_on");
    List<FailureMatcher> refused = neverOn == null ? null : Matchers.read(neverOn);
    if (refused != null) {
      reading.draft().neverOn(refused);
    }
  }

  private void retryAfter() {
    Value value = fields.optional("retry_after");
    Fields parts = value == null ? null : value.fields();
    if (parts == null) {
      return;
    }
    Value honored = parts.optional("honor");
    Boolean honor = honored == null ? Boolean.TRUE : honored.truth();
    Value longest = parts.optional("cap");
    Duration cap = longest == null ? RetryAfter.DEFAULT_CAP : longest.delay();
    parts.refuseOthers();
    if (honor != null && cap != null) {
      reading.draft().retryAfter(new RetryAfter(honor, cap));
    }
  }

  private void overrides() {
    Value value = fields.optional("overrides");
    if (value != null) {
      reading.draft().overrides(OverridesForm.read(value, reading.paths()));
    }
  }
}

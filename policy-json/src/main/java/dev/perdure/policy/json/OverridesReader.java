// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyDraft;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the overrides of a canonical policy. */
final class OverridesReader {

  private static final int MAX_OVERRIDES = 50;

  private OverridesReader() {}

  /** Reads the valid overrides, and records the path of each one. */
  static List<PolicyOverride> read(JsonValueReader list, PolicyParseState state) {
    List<JsonValueReader> items = list.array(MAX_OVERRIDES);
    List<PolicyOverride> overrides = new ArrayList<>();
    for (JsonValueReader item : items == null ? List.<JsonValueReader>of() : items) {
      PolicyOverride override = one(item, state);
      if (override != null) {
        state.paths().map("overrides[" + overrides.size() + "]", item.path());
        overrides.add(override);
      }
    }
    return overrides;
  }

  private static @Nullable PolicyOverride one(JsonValueReader value, PolicyParseState state) {
    FieldErrors errors = value.errors();
    int before = errors.count();
    JsonObjectReader object = value.object();
    if (object == null) {
      return null;
    }
    JsonValueReader matched = object.required("on");
    List<FailureMatcher> on = matched == null ? null : MatcherListReader.read(matched);
    JsonValueReader named = object.optional("max_retries");
    RetryLimit limit = named == null ? null : CanonicalReader.limit(named);
    named = object.optional("backoff");
    Backoff backoff = named == null ? null : BackoffReader.read(named);
    named = object.optional("jitter");
    Jitter jitter = named == null ? null : JitterReader.read(named);
    named = object.optional("max_delay");
    Duration maxDelay = named == null ? null : named.duration();
    object.rejectUnknown();
    if (on == null || errors.count() > before) {
      PolicyDraft readable = new PolicyDraft();
      readable.maxRetries(limit);
      readable.backoff(backoff);
      readable.jitter(jitter);
      readable.maxDelay(maxDelay);
      readable.expiry(null);
      state.errorsIn(readable).forEach(error -> errors.add(error.under(value.path())));
      return null;
    }
    return errors.collect(
        value.path(), () -> new PolicyOverride(on, limit, backoff, jitter, maxDelay));
  }
}

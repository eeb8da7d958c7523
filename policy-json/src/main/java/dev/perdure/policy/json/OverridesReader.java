// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.Jitter;
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

  /** The overrides that can be read; the paths learn which place each of them came from. */
  static List<PolicyOverride> read(JsonValueReader list, PathTranslator pathTranslator) {
    List<JsonValueReader> items = list.array(MAX_OVERRIDES);
    List<PolicyOverride> overrides = new ArrayList<>();
    for (JsonValueReader item : items == null ? List.<JsonValueReader>of() : items) {
      PolicyOverride override = one(item);
      if (override != null) {
        pathTranslator.map("overrides[" + overrides.size() + "]", item.path());
        overrides.add(override);
      }
    }
    return overrides;
  }

  private static @Nullable PolicyOverride one(JsonValueReader jsonValueReader) {
    FieldErrors fieldErrors = jsonValueReader.errors();
    int before = fieldErrors.count();
    JsonObjectReader jsonObjectReader = jsonValueReader.object();
    if (jsonObjectReader == null) {
      return null;
    }
    JsonValueReader matched = jsonObjectReader.required("on");
    List<FailureMatcher> on = matched == null ? null : MatcherListReader.read(matched);
    JsonValueReader named = jsonObjectReader.optional("max_retries");
    RetryLimit limit = named == null ? null : CanonicalReader.limit(named);
    named = jsonObjectReader.optional("backoff");
    Backoff backoff = named == null ? null : BackoffReader.read(named);
    named = jsonObjectReader.optional("jitter");
    Jitter jitter = named == null ? null : JitterReader.read(named);
    named = jsonObjectReader.optional("max_delay");
    Duration maxDelay = named == null ? null : named.duration();
    jsonObjectReader.rejectUnknown();
    if (on == null || fieldErrors.count() > before) {
      return null;
    }
    return fieldErrors.collect(
        jsonValueReader.path(), () -> new PolicyOverride(on, limit, backoff, jitter, maxDelay));
  }
}

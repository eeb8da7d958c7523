// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.Problems;
import dev.perdure.policy.RetryLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the overrides of a canonical policy. */
final class OverridesForm {

  private static final int MOST_OVERRIDES = 50;

  private OverridesForm() {}

  /** The overrides that can be read; the paths learn which place each of them came from. */
  static List<PolicyOverride> read(Value list, Paths paths) {
    List<Value> items = list.items(MOST_OVERRIDES);
    List<PolicyOverride> overrides = new ArrayList<>();
    for (Value item : items == null ? List.<Value>of() : items) {
      PolicyOverride override = one(item);
      if (override != null) {
        paths.show("overrides[" + overrides.size() + "]", item.path());
        overrides.add(override);
      }
    }
    return overrides;
  }

  private static @Nullable PolicyOverride one(Value value) {
    Problems problems = value.problems();
    int before = problems.count();
    Fields fields = value.fields();
    if (fields == null) {
      return null;
    }
    Value matched = fields.required("on");
    List<FailureMatcher> on = matched == null ? null : Matchers.read(matched);
    Value named = fields.optional("max_retries");
    RetryLimit limit = named == null ? null : CanonicalForm.limit(named);
    named = fields.optional("backoff");
    Backoff backoff = named == null ? null : BackoffForm.read(named);
    named = fields.optional("jitter");
    Jitter jitter = named == null ? null : JitterForm.read(named);
    named = fields.optional("max_delay");
    Duration maxDelay = named == null ? null : named.delay();
    fields.refuseOthers();
    if (on == null || problems.count() > before) {
      return null;
    }
    return problems.collect(
        value.path(), () -> new PolicyOverride(on, limit, backoff, jitter, maxDelay));
  }
}

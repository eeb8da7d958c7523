// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.PolicyDraft;
import dev.perdure.policy.PolicyLimits;
import dev.perdure.policy.RetryPolicy;
import java.util.List;

/** The state of reading one policy: its draft, its errors, and the paths of its dialect. */
final class PolicyParseState {

  private final FieldErrors errors;
  private final PathTranslator paths = new PathTranslator();
  private PolicyDraft draft = new PolicyDraft();
  private boolean neverRetries;

  PolicyParseState(FieldErrors errors) {
    this.errors = errors;
  }

  PolicyDraft draft() {
    return draft;
  }

  PathTranslator paths() {
    return paths;
  }

  FieldErrors errors() {
    return errors;
  }

  /** Replaces the draft with the fields of this policy. */
  void startFrom(RetryPolicy policy) {
    draft = PolicyDraft.from(policy);
  }

  /** Makes the result the policy that never retries. The other fields must still be valid. */
  void neverRetries() {
    neverRetries = true;
  }

  /** Returns the policy, or throws with all errors. */
  RetryPolicy policy() {
    FieldErrors combination = new FieldErrors();
    draft.check(combination);
    report(combination.list());
    errors.throwIfAny();
    return neverRetries ? RetryPolicy.none() : draft.build(errors);
  }

  /** Returns the policy, or throws with everything that exceeds the limits. */
  RetryPolicy policyWithin(PolicyLimits limits) {
    RetryPolicy policy = policy();
    report(limits.check(policy));
    errors.throwIfAny();
    return policy;
  }

  private void report(List<FieldError> canonical) {
    canonical.forEach(error -> errors.add(paths.translate(error)));
  }
}

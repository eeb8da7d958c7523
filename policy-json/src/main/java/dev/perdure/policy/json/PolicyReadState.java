// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.PolicyDraft;
import dev.perdure.policy.PolicyLimits;
import dev.perdure.policy.RetryPolicy;
import java.util.List;

/** A policy being read: what is known of it, what is wrong with it, how its writer calls things. */
final class PolicyReadState {

  private final FieldErrors errors;
  private final PathTranslator pathTranslator = new PathTranslator();
  private PolicyDraft draft = new PolicyDraft();
  private boolean neverRetries;

  PolicyReadState(FieldErrors fieldErrors) {
    this.errors = fieldErrors;
  }

  PolicyDraft draft() {
    return draft;
  }

  PathTranslator pathTranslator() {
    return pathTranslator;
  }

  FieldErrors errors() {
    return errors;
  }

  /** Begins anew with what this policy has. */
  void startFrom(RetryPolicy policy) {
    draft = PolicyDraft.from(policy);
  }

  /** Whatever else it says, and however valid that must be: it never retries. */
  void neverRetries() {
    neverRetries = true;
  }

  /** The policy, or everything that is wrong with it. */
  RetryPolicy policy() {
    FieldErrors between = new FieldErrors();
    draft.check(between);
    report(between.list());
    errors.throwIfAny();
    return neverRetries ? RetryPolicy.none() : draft.build(errors);
  }

  /** The policy, or everything in it that goes beyond the limits. */
  RetryPolicy policyWithin(PolicyLimits limits) {
    RetryPolicy policy = policy();
    report(limits.check(policy));
    errors.throwIfAny();
    return policy;
  }

  private void report(List<FieldError> canonical) {
    canonical.forEach(fieldError -> errors.add(pathTranslator.translate(fieldError)));
  }
}

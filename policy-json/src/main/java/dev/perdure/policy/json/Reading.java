// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.PolicyDraft;
import dev.perdure.policy.PolicyLimits;
import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
import dev.perdure.policy.RetryPolicy;
import java.util.List;

/** A policy being read: what is known of it, what is wrong with it, how its writer calls things. */
final class Reading {

  private final Problems problems;
  private final Paths paths = new Paths();
  private PolicyDraft draft = new PolicyDraft();
  private boolean never;

  Reading(Problems problems) {
    this.problems = problems;
  }

  PolicyDraft draft() {
    return draft;
  }

  Paths paths() {
    return paths;
  }

  Problems problems() {
    return problems;
  }

  /** Begins anew with what this policy has. */
  void startFrom(RetryPolicy policy) {
    draft = PolicyDraft.from(policy);
  }

  /** Whatever else it says, and however valid that must be: it never retries. */
  void neverRetries() {
    never = true;
  }

  /** The policy, or everything that is wrong with it. */
  RetryPolicy policy() {
    Problems between = new Problems();
    draft.check(between);
    tell(between.found());
    problems.throwIfAny();
    return never ? RetryPolicy.none() : draft.build(problems);
  }

  /** The policy, or everything in it that goes beyond the limits. */
  RetryPolicy policyWithin(PolicyLimits limits) {
    RetryPolicy policy = policy();
    tell(limits.check(policy));
    problems.throwIfAny();
    return policy;
  }

  private void tell(List<Problem> canonical) {
    canonical.forEach(problem -> problems.add(paths.translated(problem)));
  }
}

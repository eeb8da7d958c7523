// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.EffectivePolicy;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryPolicy;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Searches for a failure that is retried and reaches one part of the policy.
 *
 * Why a finite search is enough: a matcher checks only one property, which is the kind, the status,
 * the code or the exception. A failure that reaches an override therefore needs only the property
 * that one matcher of the override checks, and the property that one matcher of retry_on checks. Any
 * other property can only help an earlier override or never_on to match. So the candidates are the
 * samples of the override's matchers, in every kind, alone and combined with each sample of retry_on.
 *
 * The search is limited, because a policy may hold 50 overrides with 100 matchers each. If the limit
 * ends the search, the result is incomplete and there is no warning.
 */
final class ReachabilitySearch {

  private static final int MAX_CANDIDATES = 20_000;

  private final RetryPolicy policy;
  private int candidatesLeft = MAX_CANDIDATES;

  ReachabilitySearch(RetryPolicy policy) {
    this.policy = policy;
  }

  /**
   * The result of a search.
   *
   * @param example a failure that reaches the part; null if there is none or none was found
   * @param complete false if the limit ended the search
   * @param shadowed true if earlier overrides match every failure, retried or not
   */
  record Reachability(@Nullable Failure example, boolean complete, boolean shadowed) {}

  /** Searches for a failure that is retried with the policy's own fields. */
  Reachability base() {
    return search(
        policy.retryOn(),
        failure -> !EffectivePolicy.of(policy, failure).equals(EffectivePolicy.of(policy)));
  }

  /** Searches for a failure that is retried and for which this override is the first match. */
  Reachability override(int index) {
    List<PolicyOverride> earlier = policy.overrides().subList(0, index);
    return search(
        policy.overrides().get(index).on(),
        failure ->
            earlier.stream().anyMatch(override -> FailureMatcher.best(override.on(), failure) > 0));
  }

  private Reachability search(List<FailureMatcher> on, Predicate<Failure> taken) {
    boolean shadowed = true;
    Iterator<Failure> candidates = on.stream().flatMap(this::candidates).iterator();
    while (candidates.hasNext()) {
      if (candidatesLeft-- <= 0) {
        return new Reachability(null, false, false);
      }
      Failure candidate = candidates.next();
      if (taken.test(candidate)) {
        continue;
      }
      shadowed = false;
      if (policy.isRetryable(candidate)) {
        return new Reachability(candidate, true, false);
      }
    }
    return new Reachability(null, true, shadowed);
  }

  private Stream<Failure> candidates(FailureMatcher matcher) {
    return SampleFailures.of(matcher)
        .flatMap(sample -> inEveryKind(sample, matcher))
        .flatMap(sample -> Stream.concat(Stream.of(sample), withRetryOn(sample)));
  }

  private static Stream<Failure> inEveryKind(Failure sample, FailureMatcher matcher) {
    return matcher instanceof FailureMatcher.Kind
        ? Stream.of(sample)
        : SampleFailures.kindsFrom(sample.kind()).map(kind -> merged(Failure.of(kind), sample));
  }

  private Stream<Failure> withRetryOn(Failure sample) {
    return policy.retryOn().stream()
        .flatMap(SampleFailures::of)
        .map(other -> merged(sample, other))
        .filter(candidate -> !candidate.equals(sample));
  }

  /** Returns the failure with its missing properties taken from the other one. The kind stays. */
  private static Failure merged(Failure failure, Failure other) {
    Failure merged = failure;
    if (!merged.hasStatus()) {
      merged = merged.withStatus(other.status());
    }
    if (merged.code() == null) {
      merged = merged.withCode(other.code());
    }
    if (merged.exceptionTypes().isEmpty()) {
      merged = merged.withExceptionTypes(other.exceptionTypes());
    }
    return merged;
  }
}

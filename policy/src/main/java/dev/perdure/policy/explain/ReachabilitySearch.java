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
 * Looks for a failure that is retried and that gets to one part of the policy.
 *
 * Why a finite search is enough: a matcher looks at one thing only, the kind, the status, the code
 * or the exception. A failure that gets to an override therefore needs what one of the override's
 * matchers asks for and what one matcher of retry_on asks for; whatever else is known about it can
 * only help an earlier override or never_on to take it away. So the candidates are the samples of
 * the override's matchers, in every kind, alone and together with each sample of retry_on.
 *
 * The search has a limit, for a policy may hold 50 overrides of 100 matchers. Where the limit ends
 * it the answer is "unknown", which warns of nothing.
 */
final class ReachabilitySearch {

  private static final int MAX_CANDIDATES = 20_000;

  private final RetryPolicy policy;
  private int candidatesLeft = MAX_CANDIDATES;

  ReachabilitySearch(RetryPolicy policy) {
    this.policy = policy;
  }

  /**
   * What the search found.
   *
   * @param example a failure that gets there; null when there is none, or none was found
   * @param complete false when the search was cut short
   * @param shadowed true when an earlier override takes every failure, retried or not
   */
  record Reachability(@Nullable Failure example, boolean complete, boolean shadowed) {}

  /** A failure that is retried by the policy's own fields. */
  Reachability base() {
    return search(
        policy.retryOn(),
        failure -> !EffectivePolicy.of(policy, failure).equals(EffectivePolicy.of(policy)));
  }

  /** A failure that is retried and for which this override is the first that matches. */
  Reachability override(int index) {
    List<PolicyOverride> earlier = policy.overrides().subList(0, index);
    return search(
        policy.overrides().get(index).on(),
        failure ->
            earlier.stream().anyMatch(override -> FailureMatcher.best(override.on(), failure) > 0));
  }

  private Reachability search(List<FailureMatcher> on, Predicate<Failure> taken) {
    boolean allTaken = true;
    Iterator<Failure> candidates = on.stream().flatMap(this::candidates).iterator();
    while (candidates.hasNext()) {
      if (candidatesLeft-- <= 0) {
        return new Reachability(null, false, false);
      }
      Failure candidate = candidates.next();
      if (taken.test(candidate)) {
        continue;
      }
      allTaken = false;
      if (policy.isRetryable(candidate)) {
        return new Reachability(candidate, true, false);
      }
    }
    return new Reachability(null, true, allTaken);
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
        .filter(matcher -> addsTo(matcher, sample))
        .flatMap(SampleFailures::of)
        .map(wanted -> merged(sample, wanted));
  }

  /** True when the matcher asks for something that the sample does not have. */
  private static boolean addsTo(FailureMatcher matcher, Failure sample) {
    return switch (matcher) {
      case FailureMatcher.Status status -> !sample.hasStatus();
      case FailureMatcher.StatusRange range -> !sample.hasStatus();
      case FailureMatcher.StatusClass hundred -> !sample.hasStatus();
      case FailureMatcher.Code code -> sample.code() == null;
      case FailureMatcher.ExceptionType type -> sample.exceptionTypes().isEmpty();
      case FailureMatcher.Kind kind -> false;
      case FailureMatcher.Any any -> false;
    };
  }

  /** The failure, and what it lacks taken from the other one; the kind stays. */
  private static Failure merged(Failure failure, Failure other) {
    Failure joined = failure;
    if (!joined.hasStatus() && other.hasStatus()) {
      joined = joined.withStatus(other.status());
    }
    if (joined.code() == null) {
      joined = joined.withCode(other.code());
    }
    if (joined.exceptionTypes().isEmpty()) {
      joined = joined.withExceptionTypes(other.exceptionTypes());
    }
    return joined;
  }
}

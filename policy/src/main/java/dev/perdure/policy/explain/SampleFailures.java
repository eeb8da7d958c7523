// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.EffectivePolicy;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.RetryLimit;
import dev.perdure.policy.RetryPolicy;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Sample failures for a matcher, the most typical first. They have only the properties that the
 * matcher checks. The samples cover everything that the matcher matches: any other failure is one
 * of them with more properties, or of a different kind.
 */
final class SampleFailures {

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVICE_UNAVAILABLE = 503;

  private SampleFailures() {}

  static Stream<Failure> of(FailureMatcher matcher) {
    return switch (matcher) {
      case FailureMatcher.Status exact -> Stream.of(Failure.http(exact.status()));
      case FailureMatcher.StatusRange range -> statuses(range.first(), range.last());
      case FailureMatcher.StatusClass hundred -> statuses(hundred.hundreds());
      case FailureMatcher.Code code -> Stream.of(Failure.explicit(code.code()));
      case FailureMatcher.ExceptionType type ->
          Stream.of(Failure.of(FailureKind.EXCEPTION).withExceptionTypes(List.of(type.name())));
      case FailureMatcher.Kind kind -> Stream.of(Failure.of(kind.kind()));
      case FailureMatcher.Any any -> kindsFrom(FailureKind.EXPLICIT).map(Failure::of);
    };
  }

  /** Tests whether the policy retries a failure at least once. */
  static Predicate<Failure> retriedBy(RetryPolicy policy) {
    return failure ->
        policy.isRetryable(failure)
            && !EffectivePolicy.of(policy, failure).maxRetries().equals(RetryLimit.none());
  }

  /** Returns all kinds, {@code first} first. */
  static Stream<FailureKind> kindsFrom(FailureKind first) {
    return Stream.concat(
        Stream.of(first), Stream.of(FailureKind.values()).filter(kind -> kind != first));
  }

  private static Stream<Failure> statuses(int hundreds) {
    int first = hundreds * 100;
    int typical =
        switch (hundreds) {
          case 4 -> TOO_MANY_REQUESTS;
          case 5 -> SERVICE_UNAVAILABLE;
          default -> first;
        };
    return Stream.concat(
        Stream.of(Failure.http(typical)),
        statuses(first, first + 99).filter(failure -> failure.status() != typical));
  }

  private static Stream<Failure> statuses(int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj(Failure::http);
  }
}

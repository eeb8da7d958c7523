// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.EffectivePolicy;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.RetryPolicy;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Chooses a failure to explain a policy with, if the user does not name one. */
public final class RepresentativeFailure {

  private RepresentativeFailure() {}

  /**
   * Returns a failure that the policy retries, preferably one without special treatment. The
   * candidates are an explicit failure and then samples of the matchers in {@code retry_on}, in
   * order: a status itself, the first status of a range, 503 for {@code 5xx} and 429 for {@code
   * 4xx}. The result is the first candidate that
   *
   * <ol>
   *   <li>no override changes and that is not a 4xx: for the http preset this is 503;
   *   <li>otherwise, the first that no override changes;
   *   <li>otherwise, the first that is retried at all.
   * </ol>
   *
   * If no candidate is retried, the result is an explicit failure.
   */
  public static Failure of(RetryPolicy policy) {
    Failure explicit = Failure.of(FailureKind.EXPLICIT);
    List<Failure> retried =
        Stream.concat(Stream.of(explicit), policy.retryOn().stream().flatMap(SampleFailures::of))
            .filter(SampleFailures.retriedBy(policy))
            .toList();
    Predicate<Failure> plain =
        failure -> EffectivePolicy.of(policy, failure).equals(EffectivePolicy.of(policy));
    Predicate<Failure> clientError = failure -> failure.status() / 100 == 4;
    return Stream.of(plain.and(clientError.negate()), plain, (Predicate<Failure>) any -> true)
        .flatMap(choice -> retried.stream().filter(choice).limit(1))
        .findFirst()
        .orElse(explicit);
  }
}

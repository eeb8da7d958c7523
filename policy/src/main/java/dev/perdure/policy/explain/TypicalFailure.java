// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.EffectivePolicy;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.RetryPolicy;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds a failure to explain a policy with, when nobody names one. */
public final class TypicalFailure {

  private TypicalFailure() {}

  /**
   * A failure that the policy retries, and that shows the policy itself rather than an exception to
   * it. The candidates are an explicit failure and then samples of the matchers in {@code
   * retry_on}, in their order: a status as it is, the first of a range, 503 of {@code 5xx} and 429
   * of {@code 4xx}. The first is taken that
   *
   * <ol>
   *   <li>no override changes, and that is not a 4xx: of the http preset this is 503;
   *   <li>else, that no override changes;
   *   <li>else, that is retried at all.
   * </ol>
   *
   * An explicit failure when there is none.
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

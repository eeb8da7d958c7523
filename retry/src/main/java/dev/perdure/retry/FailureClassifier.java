// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.util.concurrent.TimeoutException;

/** Converts an exception to a {@link Failure} for the policy. */
@FunctionalInterface
public interface FailureClassifier {

  Failure classify(Throwable thrown);

  /**
   * Returns the default classifier, which uses the types of the exception.
   *
   * <ul>
   *   <li>An {@link AttemptTimeoutException} or {@link TimeoutException} has the kind {@code
   *       timeout}.
   *   <li>A {@link HandedOverException} is permanent, because the work continues as a task and must
   *       not start again here.
   *   <li>A {@link CircuitOpenException} has the code {@code circuit_open} and a Retry-After.
   *   <li>The cause of a CompletionException or an ExecutionException is used instead of the
   *       wrapper.
   * </ul>
   */
  static FailureClassifier byType() {
    return FailureClassifier::byType;
  }

  private static Failure byType(Throwable thrown) {
    Throwable inner = ExceptionUnwrapper.unwrap(thrown);
    Failure failure = Failure.exception(inner);
    return switch (inner) {
      case AttemptTimeoutException timeout -> ofKind(FailureKind.TIMEOUT, failure);
      case TimeoutException timeout -> ofKind(FailureKind.TIMEOUT, failure);
      case HandedOverException handedOver -> failure.withPermanent(true);
      case CircuitOpenException open ->
          failure.withCode("circuit_open").withRetryAfter(open.remainingOpenTime().orElse(null));
      default -> failure;
    };
  }

  private static Failure ofKind(FailureKind kind, Failure failure) {
    return Failure.of(kind)
        .withExceptionTypes(failure.exceptionTypes())
        .withMessage(failure.message());
  }
}

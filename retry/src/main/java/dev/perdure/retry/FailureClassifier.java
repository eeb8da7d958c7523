// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.util.concurrent.TimeoutException;

/** Tells a policy what an exception means. */
@FunctionalInterface
public interface FailureClassifier {

  Failure classify(Throwable thrown);

  /**
   * Exceptions by their types. A timeout, ours or a {@link TimeoutException}, is of the kind {@code
   * timeout}; what was handed over goes on elsewhere and must not be begun again here: it is
   * permanent; an open circuit has the code {@code circuit_open} and says when to come back. What a
   * future wraps in a CompletionException or an ExecutionException is read as what is inside.
   */
  static FailureClassifier byType() {
    return FailureClassifier::byType;
  }

  private static Failure byType(Throwable thrown) {
    Throwable inner = ExceptionUnwrapper.unwrap(thrown);
    Failure failure = Failure.exception(inner);
    return switch (inner) {
      case AttemptTimeoutException ours -> ofKind(FailureKind.TIMEOUT, failure);
      case TimeoutException theirs -> ofKind(FailureKind.TIMEOUT, failure);
      case HandedOverException goesOnElsewhere -> failure.withPermanent(true);
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

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.BusyException;
import dev.perdure.engine.CounterOverflowException;
import dev.perdure.engine.StaleAttemptException;
import dev.perdure.engine.SubmissionKeyConflictException;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import java.util.NoSuchElementException;
import java.util.Optional;

/** Says which exceptions of the engine are ordinary answers, and which. */
public final class EngineExceptionMapper {

  private EngineExceptionMapper() {}

  /** Empty when it is a fault. */
  public static Optional<HttpProblemException> toHttpProblem(RuntimeException thrown) {
    return switch (thrown) {
      case InvalidPolicyException invalid ->
          Optional.of(HttpProblemException.invalid(invalid.errors()));
      case IllegalTransitionException refused ->
          Optional.of(HttpProblemException.conflict(String.valueOf(refused.getMessage())));
      case StaleAttemptException late ->
          Optional.of(HttpProblemException.conflict(String.valueOf(late.getMessage())));
      case CounterOverflowException full ->
          Optional.of(HttpProblemException.conflict(String.valueOf(full.getMessage())));
      case SubmissionKeyConflictException taken ->
          Optional.of(
              HttpProblemException.of(
                  HttpStatus.UNPROCESSABLE_CONTENT,
                  "%s: %s; send the same body again, or another key"
                      .formatted(IdempotencyHeader.NAME, taken.getMessage())));
      case NoSuchElementException missing ->
          Optional.of(HttpProblemException.notFound(String.valueOf(missing.getMessage())));
      case BusyException busy ->
          Optional.of(HttpProblemException.unavailable(String.valueOf(busy.getMessage())));
      case StoreException trouble -> ofStoreException(trouble);
      default -> Optional.empty();
    };
  }

  /** What the store would never take is a fault of ours: we should not have handed it over. */
  private static Optional<HttpProblemException> ofStoreException(StoreException trouble) {
    return switch (trouble.kind()) {
      case UNAVAILABLE ->
          Optional.of(
              HttpProblemException.unavailable("the store cannot be reached or is too busy"));
      case UNKNOWN ->
          Optional.of(
              HttpProblemException.of(
                  HttpStatus.SERVICE_UNAVAILABLE,
                  "the store's answer was lost: it may have been done, so look before repeating"));
      case REFUSED -> Optional.empty();
    };
  }
}

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

/** Maps the engine's exceptions to HTTP problems. */
public final class EngineExceptionMapper {

  private EngineExceptionMapper() {}

  /** The problem to respond with; empty when the exception is an internal error. */
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
                  "%s: %s; send the same body again, or use another key"
                      .formatted(IdempotencyHeader.NAME, taken.getMessage())));
      case NoSuchElementException missing ->
          Optional.of(HttpProblemException.notFound(String.valueOf(missing.getMessage())));
      case BusyException busy ->
          Optional.of(HttpProblemException.unavailable(String.valueOf(busy.getMessage())));
      case StoreException e -> ofStoreException(e);
      default -> Optional.empty();
    };
  }

  /** A write that the store refuses is an internal error: the API should have rejected it. */
  private static Optional<HttpProblemException> ofStoreException(StoreException e) {
    return switch (e.kind()) {
      case UNAVAILABLE ->
          Optional.of(
              HttpProblemException.unavailable("the database cannot be reached or is too busy"));
      case UNKNOWN ->
          Optional.of(
              HttpProblemException.of(
                  HttpStatus.SERVICE_UNAVAILABLE,
                  "the database's answer was lost, so the change may have been made: check before you repeat the request"));
      case REFUSED -> Optional.empty();
    };
  }
}

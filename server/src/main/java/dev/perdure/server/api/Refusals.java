// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.BusyException;
import dev.perdure.engine.CounterOverflowException;
import dev.perdure.engine.KeyTakenException;
import dev.perdure.engine.TooLateException;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.task.TaskRefusedException;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Status;
import java.util.NoSuchElementException;
import java.util.Optional;

/** Says which exceptions of the engine are ordinary answers, and which. */
public final class Refusals {

  private Refusals() {}

  /** Empty when it is a fault. */
  public static Optional<RefusedException> of(RuntimeException thrown) {
    return switch (thrown) {
      case InvalidPolicyException invalid ->
          Optional.of(RefusedException.invalid(invalid.problems()));
      case TaskRefusedException refused ->
          Optional.of(RefusedException.conflict(String.valueOf(refused.getMessage())));
      case TooLateException late ->
          Optional.of(RefusedException.conflict(String.valueOf(late.getMessage())));
      case CounterOverflowException full ->
          Optional.of(RefusedException.conflict(String.valueOf(full.getMessage())));
      case KeyTakenException taken ->
          Optional.of(
              RefusedException.of(
                  Status.UNPROCESSABLE,
                  "%s: %s; send the same body again, or another key"
                      .formatted(IdempotencyKey.HEADER, taken.getMessage())));
      case NoSuchElementException missing ->
          Optional.of(RefusedException.notFound(String.valueOf(missing.getMessage())));
      case BusyException busy ->
          Optional.of(RefusedException.unavailable(String.valueOf(busy.getMessage())));
      case StoreException trouble -> ofStore(trouble);
      default -> Optional.empty();
    };
  }

  /** What the store would never take is a fault of ours: we should not have handed it over. */
  private static Optional<RefusedException> ofStore(StoreException trouble) {
    return switch (trouble.sort()) {
      case UNAVAILABLE ->
          Optional.of(RefusedException.unavailable("the store cannot be reached or is too busy"));
      case UNKNOWN ->
          Optional.of(
              RefusedException.of(
                  Status.UNAVAILABLE,
                  "the store's answer was lost: it may have been done, so look before repeating"));
      case REFUSED -> Optional.empty();
    };
  }
}

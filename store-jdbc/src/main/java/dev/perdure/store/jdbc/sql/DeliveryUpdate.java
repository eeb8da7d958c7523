// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.spi.DeliveryResult;
import dev.perdure.engine.task.Delivery.DeliveryFailure;
import dev.perdure.engine.task.DeliveryState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The change to a delivery's row that follows from the result of sending it.
 *
 * @param attemptIncrement added to the attempt number
 * @param delay how long until the delivery is due again, or null if it is not
 */
public record DeliveryUpdate(
    DeliveryState state,
    int attemptIncrement,
    @Nullable Duration delay,
    @Nullable DeliveryFailure failure) {

  public static DeliveryUpdate of(DeliveryResult result) {
    return switch (result.settlement()) {
      case DeliveryResult.Sent sent -> new DeliveryUpdate(DeliveryState.SENT, 0, null, null);
      case DeliveryResult.DeadLettered deadLettered ->
          new DeliveryUpdate(DeliveryState.DEAD, 0, null, deadLettered.failure());
      case DeliveryResult.RetryScheduled retryScheduled ->
          new DeliveryUpdate(
              DeliveryState.PENDING, 1, retryScheduled.delay(), retryScheduled.failure());
      case DeliveryResult.Deferred deferred ->
          new DeliveryUpdate(DeliveryState.PENDING, 0, deferred.delay(), null);
    };
  }

  public @Nullable String failureKind() {
    return failure == null ? null : failure.kind();
  }

  public @Nullable Integer failureStatus() {
    return failure == null ? null : failure.status();
  }

  public @Nullable String failureMessage() {
    return failure == null ? null : failure.message();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.spi.DeliveryResult;
import dev.perdure.engine.task.Delivery.DeliveryFailure;
import dev.perdure.engine.task.DeliveryState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the end of a sending means for the row of its delivery.
 *
 * @param attemptIncrement by how much the attempt's number grows
 * @param delay how long until it is due again; null when it is not
 */
public record DeliveryUpdate(
    DeliveryState state,
    int attemptIncrement,
    @Nullable Duration delay,
    @Nullable DeliveryFailure failure) {

  public static DeliveryUpdate of(DeliveryResult deliveryResult) {
    return switch (deliveryResult.settlement()) {
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

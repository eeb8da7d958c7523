// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.Delivery.DeliveryFailure;
import java.time.Duration;
import java.util.UUID;

/**
 * How the sending of a delivery ended.
 *
 * @param epoch the epoch under which it was taken
 */
public record DeliveryResult(UUID delivery, long epoch, Settlement settlement) {

  /** What follows for the delivery. */
  public sealed interface Settlement {}

  /** It has arrived. */
  public record Sent() implements Settlement {}

  /** It failed, and is tried again after the delay as the next attempt. */
  public record RetryScheduled(Duration delay, DeliveryFailure failure) implements Settlement {}

  /** It failed, and is a dead letter. */
  public record DeadLettered(DeliveryFailure failure) implements Settlement {}

  /** It was not sent at all; the same attempt after the delay. */
  public record Deferred(Duration delay) implements Settlement {}
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.Delivery.DeliveryFailure;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.DeliveryState;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The end of one attempt to send a delivery, as the outbox writes it.
 *
 * @param epoch the epoch under which the delivery was claimed
 * @param delay how long until it is due again; null when it has ended
 * @param failure why it failed; null leaves the last failure as it is
 */
public record DeliveryUpdate(
    UUID delivery,
    long epoch,
    DeliveryOutcome outcome,
    @Nullable Duration delay,
    @Nullable DeliveryFailure failure) {

  public DeliveryUpdate {
    boolean ended = outcome == DeliveryOutcome.SENT || outcome == DeliveryOutcome.DEAD;
    if (ended != (delay == null)) {
      throw new IllegalArgumentException(
          "delay: must be null exactly when the delivery has ended, not "
              + delay
              + " for "
              + outcome);
    }
    boolean failed = outcome == DeliveryOutcome.FAILED || outcome == DeliveryOutcome.DEAD;
    if (failed != (failure != null)) {
      throw new IllegalArgumentException(
          "failure: must be set exactly when the delivery failed, not "
              + failure
              + " for "
              + outcome);
    }
  }

  public static DeliveryUpdate sent(Delivery delivery) {
    return of(delivery, DeliveryOutcome.SENT, null, null);
  }

  /** The next attempt comes after the delay. */
  public static DeliveryUpdate failed(Delivery delivery, Duration delay, DeliveryFailure failure) {
    return of(delivery, DeliveryOutcome.FAILED, delay, failure);
  }

  public static DeliveryUpdate dead(Delivery delivery, DeliveryFailure failure) {
    return of(delivery, DeliveryOutcome.DEAD, null, failure);
  }

  /** The same attempt comes again after the delay. */
  public static DeliveryUpdate deferred(Delivery delivery, Duration delay) {
    return of(delivery, DeliveryOutcome.DEFERRED, delay, null);
  }

  private static DeliveryUpdate of(
      Delivery delivery,
      DeliveryOutcome outcome,
      @Nullable Duration delay,
      @Nullable DeliveryFailure failure) {
    return new DeliveryUpdate(delivery.id(), delivery.epoch(), outcome, delay, failure);
  }

  /** The state that the delivery gets. */
  public DeliveryState state() {
    return switch (outcome) {
      case SENT -> DeliveryState.SENT;
      case DEAD -> DeliveryState.DEAD;
      case FAILED, DEFERRED -> DeliveryState.PENDING;
    };
  }

  /** By how much the number of the delivery's attempt grows. */
  public int attemptIncrement() {
    return outcome == DeliveryOutcome.FAILED ? 1 : 0;
  }
}

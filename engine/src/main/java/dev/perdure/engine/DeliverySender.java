// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Delivery;
import dev.perdure.policy.Failure;
import java.time.Duration;

/**
 * Sends one delivery. It is called on virtual threads, many at once. The same delivery may come
 * more than once, even after it was accepted. Set a time limit of your own: a call that takes
 * longer than {@link DeliveryOptions#sendTimeout()} is interrupted, and another node may already
 * have the delivery.
 *
 * <p>An exception counts as a failure.
 */
@FunctionalInterface
public interface DeliverySender {

  SendOutcome send(Delivery delivery) throws Exception;

  /** The answer of a sender. */
  sealed interface SendOutcome {}

  /** The receiver accepted the delivery. */
  record Accepted() implements SendOutcome {}

  /** The delivery failed. The retry policy decides what follows and honors a Retry-After. */
  record SendFailed(Failure failure) implements SendOutcome {}

  /**
   * The delivery was not sent, because its destination is at its limit. The same attempt comes
   * again after the delay.
   */
  record SendDeferred(Duration delay) implements SendOutcome {
    public SendDeferred {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("delay: must not be negative, not " + delay);
      }
    }
  }

  static SendOutcome accepted() {
    return new Accepted();
  }

  static SendOutcome failed(Failure failure) {
    return new SendFailed(failure);
  }

  static SendOutcome deferred(Duration delay) {
    return new SendDeferred(delay);
  }
}

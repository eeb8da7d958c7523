// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Delivery;
import dev.perdure.policy.Failure;
import java.time.Duration;

/**
 * Takes one delivery where it has to go. Called on virtual threads, many at once; the same delivery
 * may come more than once, also after it arrived. It has a limit of its own on the time it takes:
 * one that takes longer than {@link DeliveryOptions#sendTimeout()} is interrupted, and the delivery
 * may be with somebody else already.
 *
 * <p>What it throws is a failure like any other.
 */
@FunctionalInterface
public interface DeliverySender {

  SendOutcome send(Delivery delivery) throws Exception;

  /** How it went. */
  sealed interface SendOutcome {}

  /** It has arrived. */
  record Accepted() implements SendOutcome {}

  /** It failed. The policy of deliveries decides what follows; it honours a Retry-After. */
  record SendFailed(Failure failure) implements SendOutcome {}

  /**
   * It was not sent: there was no room for its destination. It comes again after the delay, and
   * nothing is used up.
   */
  record SendDeferred(Duration delay) implements SendOutcome {
    public SendDeferred {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("a delay must not be negative: " + delay);
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

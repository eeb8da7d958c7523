// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Delivery;
import dev.perdure.policy.Failure;
import java.time.Duration;

/**
 * Takes one delivery where it has to go. Called on virtual threads, many at once; the same delivery
 * may come more than once, also after it arrived. It has a limit of its own on the time it takes:
 * one that takes longer than {@link DeliveryOptions#longest()} is interrupted, and the delivery may
 * be with somebody else already.
 *
 * <p>What it throws is a failure like any other.
 */
@FunctionalInterface
public interface Courier {

  Answer deliver(Delivery delivery) throws Exception;

  /** How it went. */
  sealed interface Answer {}

  /** It has arrived. */
  record Arrived() implements Answer {}

  /** It failed. The policy of deliveries decides what follows; it honours a Retry-After. */
  record Failed(Failure failure) implements Answer {}

  /**
   * It was not sent: there was no room for its destination. It comes again after the delay, and
   * nothing is used up.
   */
  record PutOff(Duration delay) implements Answer {
    public PutOff {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("a delay must not be negative: " + delay);
      }
    }
  }

  static Answer arrived() {
    return new Arrived();
  }

  static Answer failed(Failure failure) {
    return new Failed(failure);
  }

  static Answer putOff(Duration delay) {
    return new PutOff(delay);
  }
}

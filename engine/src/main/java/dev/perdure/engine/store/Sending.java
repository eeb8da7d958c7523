// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import dev.perdure.engine.task.Delivery.Miss;
import java.time.Duration;
import java.util.UUID;

/**
 * How the sending of a delivery ended.
 *
 * @param epoch the epoch under which it was taken
 */
public record Sending(UUID delivery, long epoch, End end) {

  /** What follows for the delivery. */
  public sealed interface End {}

  /** It has arrived. */
  public record Arrived() implements End {}

  /** It failed, and is tried again after the delay as the next attempt. */
  public record Again(Duration delay, Miss miss) implements End {}

  /** It failed, and is a dead letter. */
  public record GivenUp(Miss miss) implements End {}

  /** It was not sent at all; the same attempt after the delay. */
  public record PutOff(Duration delay) implements End {}
}

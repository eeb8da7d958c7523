// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.store.Sending;
import dev.perdure.engine.task.Delivery.Miss;
import dev.perdure.engine.task.DeliveryState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the end of a sending means for the row of its delivery.
 *
 * @param step by how much the attempt's number grows
 * @param delay how long until it is due again; null when it is not
 */
public record Settled(
    DeliveryState state, int step, @Nullable Duration delay, @Nullable Miss miss) {

  public static Settled of(Sending sending) {
    return switch (sending.end()) {
      case Sending.Arrived arrived -> new Settled(DeliveryState.SENT, 0, null, null);
      case Sending.GivenUp givenUp -> new Settled(DeliveryState.DEAD, 0, null, givenUp.miss());
      case Sending.Again again ->
          new Settled(DeliveryState.PENDING, 1, again.delay(), again.miss());
      case Sending.PutOff putOff -> new Settled(DeliveryState.PENDING, 0, putOff.delay(), null);
    };
  }

  public @Nullable String missKind() {
    return miss == null ? null : miss.kind();
  }

  public @Nullable Integer missStatus() {
    return miss == null ? null : miss.status();
  }

  public @Nullable String missMessage() {
    return miss == null ? null : miss.message();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.DeliveryState;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Selects deliveries; all conditions that are set must hold.
 *
 * @param trigger the exact trigger
 */
public record DeliveryFilter(
    @Nullable DeliveryState state, @Nullable UUID task, @Nullable String trigger) {

  public static DeliveryFilter all() {
    return new DeliveryFilter(null, null, null);
  }

  public static DeliveryFilter in(DeliveryState state) {
    return all().withState(state);
  }

  public DeliveryFilter withState(@Nullable DeliveryState value) {
    return new DeliveryFilter(value, task, trigger);
  }

  public DeliveryFilter withTask(@Nullable UUID value) {
    return new DeliveryFilter(state, value, trigger);
  }

  public DeliveryFilter withTrigger(@Nullable String value) {
    return new DeliveryFilter(state, task, value);
  }
}

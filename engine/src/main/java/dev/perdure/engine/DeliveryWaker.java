// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;

/** Rings when a change was written that somebody outside is to be told of. */
final class DeliveryWaker implements EngineListener {

  private volatile Runnable onDeliveries = () -> {};

  void onDeliveries(Runnable value) {
    onDeliveries = value;
  }

  @Override
  public void onChanged(Task before, TaskChange taskChange, Duration ran) {
    if (!taskChange.deliveries().isEmpty()) {
      onDeliveries.run();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;

/** Calls back when a change with deliveries was written. */
final class DeliveryWaker implements EngineListener {

  private volatile Runnable onDeliveries = () -> {};

  void onDeliveries(Runnable value) {
    onDeliveries = value;
  }

  @Override
  public void onChanged(Task before, TaskChange change, Duration ran) {
    if (!change.deliveries().isEmpty()) {
      onDeliveries.run();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Task;
import java.time.Duration;

/** Rings when a change was written that somebody outside is to be told of. */
final class DeliveryBell implements EngineListener {

  private volatile Runnable onRing = () -> {};

  void wakes(Runnable value) {
    onRing = value;
  }

  @Override
  public void onChanged(Task before, Change change, Duration ran) {
    if (!change.deliveries().isEmpty()) {
      onRing.run();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.Sending;
import dev.perdure.engine.task.Delivery;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A delivery that this node has taken: from its claim until its end is durable. Safe to share. */
final class Errand {

  private final Delivery delivery;
  private final Instant takenAt;
  private final Duration takenTick;
  private Workers.@Nullable Worker worker;
  private boolean stopped;
  private Duration heldTick;
  private @Nullable Duration endedTick;

  Errand(Delivery delivery, Instant takenAt, Duration takenTick) {
    this.delivery = delivery;
    this.takenAt = takenAt;
    this.takenTick = takenTick;
    this.heldTick = takenTick;
  }

  Delivery delivery() {
    return delivery;
  }

  /** The database's clock, as well as it can be told from here. */
  Instant databaseTime(Duration tick) {
    return takenAt.plus(tick.minus(takenTick));
  }

  Duration took(Duration tick) {
    return tick.minus(takenTick);
  }

  /** True when its lease was last known to begin so long ago, and somebody still wants it. */
  synchronized boolean isHeldFor(Duration length, Duration tick) {
    return !stopped && tick.minus(heldTick).compareTo(length) >= 0;
  }

  /** Its lease began anew then, or later. */
  synchronized void held(Duration tick) {
    heldTick = tick;
  }

  synchronized void by(Workers.Worker value) {
    worker = value;
    if (stopped && endedTick == null) {
      value.interrupt();
    }
  }

  synchronized void stop() {
    if (!stopped) {
      stopped = true;
      if (worker != null && endedTick == null) {
        worker.interrupt();
      }
    }
  }

  synchronized boolean stopped() {
    return stopped;
  }

  /** The courier is back: an interrupt must not reach whatever its thread does next. */
  synchronized void end(Duration tick) {
    endedTick = tick;
  }

  /**
   * What came of it.
   *
   * @param took how long the courier was away
   */
  record Ended(Errand errand, Sending sending, Duration took) {}
}

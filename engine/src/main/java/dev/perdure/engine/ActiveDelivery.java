// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.spi.DeliveryUpdate;
import dev.perdure.engine.task.Delivery;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A delivery that this node has taken: from its claim until its end is durable. Safe to share. */
final class ActiveDelivery {

  private final Delivery delivery;
  private final Instant claimedAt;
  private final Duration claimedTick;
  private EngineExecutor.@Nullable Interruptible interruptible;
  private boolean stopped;
  private Duration leaseTick;
  private @Nullable Duration endedTick;
  private @Nullable DeliveryUpdate update;

  ActiveDelivery(Delivery delivery, Instant takenAt, Duration takenTick) {
    this.delivery = delivery;
    this.claimedAt = takenAt;
    this.claimedTick = takenTick;
    this.leaseTick = takenTick;
  }

  Delivery delivery() {
    return delivery;
  }

  /** The database's clock, as well as it can be told from here. */
  Instant databaseTime(Duration tick) {
    return claimedAt.plus(tick.minus(claimedTick));
  }

  Duration elapsed(Duration tick) {
    return tick.minus(claimedTick);
  }

  /** True when its lease was last known to begin so long ago, and somebody still wants it. */
  synchronized boolean leaseIsOlderThan(Duration length, Duration tick) {
    return !stopped && tick.minus(leaseTick).compareTo(length) >= 0;
  }

  /** Its lease began anew then, or later. */
  synchronized void leaseExtended(Duration tick) {
    leaseTick = tick;
  }

  synchronized void runsOn(EngineExecutor.Interruptible value) {
    interruptible = value;
    if (stopped && endedTick == null) {
      value.interrupt();
    }
  }

  synchronized void stop() {
    if (!stopped) {
      stopped = true;
      if (interruptible != null && endedTick == null) {
        interruptible.interrupt();
      }
    }
  }

  synchronized boolean stopped() {
    return stopped;
  }

  /** The sender returned; an interrupt must not reach what its thread does next. */
  synchronized void end(DeliveryUpdate result, Duration tick) {
    update = result;
    endedTick = tick;
  }

  /** What is to be written about it, once it has ended. */
  synchronized DeliveryUpdate update() {
    return requireNonNull(update, "update");
  }

  /** How long it took, once it has ended. */
  synchronized Duration took() {
    return elapsed(requireNonNull(endedTick, "endedTick"));
  }
}

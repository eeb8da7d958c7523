// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.spi.DeliveryUpdate;
import dev.perdure.engine.task.Delivery;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A delivery that this node has claimed, from the claim until its end is durable. Thread-safe. */
final class ActiveDelivery {

  private final Delivery delivery;
  private final Instant claimedAt;
  private final Duration claimedTick;
  private EngineExecutor.@Nullable Interruptible interruptible;
  private boolean stopped;
  private Duration leaseTick;
  private @Nullable Duration endedTick;
  private @Nullable DeliveryUpdate update;

  ActiveDelivery(Delivery delivery, Instant claimedAt, Duration claimedTick) {
    this.delivery = delivery;
    this.claimedAt = claimedAt;
    this.claimedTick = claimedTick;
    this.leaseTick = claimedTick;
  }

  Delivery delivery() {
    return delivery;
  }

  /** The database's clock at this tick, as this node estimates it. */
  Instant databaseTime(Duration tick) {
    return claimedAt.plus(tick.minus(claimedTick));
  }

  Duration elapsed(Duration tick) {
    return tick.minus(claimedTick);
  }

  /** True when the lease is at least this old and the delivery was not stopped. */
  synchronized boolean leaseIsOlderThan(Duration length, Duration tick) {
    return !stopped && tick.minus(leaseTick).compareTo(length) >= 0;
  }

  /** The lease was extended at this tick or later. */
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

  /** The update to write, once the delivery has ended. */
  synchronized DeliveryUpdate update() {
    return requireNonNull(update, "update");
  }

  /** How long it took, once it has ended. */
  synchronized Duration took() {
    return elapsed(requireNonNull(endedTick, "endedTick"));
  }
}

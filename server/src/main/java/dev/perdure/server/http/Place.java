// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A request's place among those that may be under way at once; for the request's own thread. */
public final class Place {

  private static final long PATIENCE_MS = 1_000;

  private final Semaphore places;
  private final BooleanSupplier deserted;
  private boolean taken = true;

  /**
   * @param places those that are free; this one is taken
   * @param deserted tells whether the client has gone
   */
  public Place(Semaphore places, BooleanSupplier deserted) {
    this.places = places;
    this.deserted = deserted;
  }

  /** True when nobody waits for the answer any more. */
  public boolean isDeserted() {
    return deserted.getAsBoolean();
  }

  /**
   * Lets another have the place while there is nothing to do but wait. When afterwards there is
   * none for a second, it goes on without: what was waited for may run out meanwhile.
   */
  public <T> T leftFor(Supplier<T> wait) {
    leave();
    try {
      return wait.get();
    } finally {
      taken = isFreeAgain();
    }
  }

  private boolean isFreeAgain() {
    try {
      return places.tryAcquire(PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The request is answered. */
  public void leave() {
    if (taken) {
      taken = false;
      places.release();
    }
  }
}

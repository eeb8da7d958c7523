// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** A request's place among those that may be under way at once. */
public final class Place {

  private final Semaphore places;

  /**
   * @param places those that are free; this one is taken
   */
  public Place(Semaphore places) {
    this.places = places;
  }

  /** Lets another have the place while there is nothing to do but wait. */
  public <T> T leftFor(Supplier<T> wait) {
    places.release();
    try {
      return wait.get();
    } finally {
      places.acquireUninterruptibly();
    }
  }
}

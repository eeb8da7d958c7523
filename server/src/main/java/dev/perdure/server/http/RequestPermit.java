// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A request's place among those that may be under way at once; for the request's own thread. */
public final class RequestPermit {

  private static final long REACQUIRE_TIMEOUT_MS = 1_000;

  private final Semaphore permits;
  private final BooleanSupplier clientGone;
  private boolean held = true;

  /**
   * @param places those that are free; this one is taken
   * @param deserted tells whether the client has gone
   */
  public RequestPermit(Semaphore places, BooleanSupplier deserted) {
    this.permits = places;
    this.clientGone = deserted;
  }

  /** True when nobody waits for the answer any more. */
  public boolean isClientGone() {
    return clientGone.getAsBoolean();
  }

  /**
   * Lets another have the place while there is nothing to do but wait. When afterwards there is
   * none for a second, it goes on without: what was waited for may run out meanwhile.
   */
  public <T> T releasedWhile(Supplier<T> wait) {
    release();
    try {
      return wait.get();
    } finally {
      held = reacquire();
    }
  }

  private boolean reacquire() {
    try {
      return permits.tryAcquire(REACQUIRE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The request is answered. */
  public void release() {
    if (held) {
      held = false;
      permits.release();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** One of the permits for requests that may run at once. Only the request's own thread uses it. */
public final class RequestPermit {

  private static final long REACQUIRE_TIMEOUT_MS = 1_000;

  private final Semaphore permits;
  private final BooleanSupplier clientGone;
  private boolean held = true;

  /**
   * @param permits the free permits; this one is already acquired
   * @param clientGone whether the client has disconnected
   */
  public RequestPermit(Semaphore permits, BooleanSupplier clientGone) {
    this.permits = permits;
    this.clientGone = clientGone;
  }

  /** True if the client has disconnected. */
  public boolean isClientGone() {
    return clientGone.getAsBoolean();
  }

  /**
   * Releases the permit while the request only waits, so that another request can run. If no permit
   * is free within a second afterwards, the request continues without one: what it waited for may
   * expire.
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

  /** Releases the permit, if it is held. */
  public void release() {
    if (held) {
      held = false;
      permits.release();
    }
  }
}

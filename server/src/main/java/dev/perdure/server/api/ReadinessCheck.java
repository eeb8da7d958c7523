// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the store responds in time. The store itself waits out an outage; a readiness
 * probe must not. Concurrent callers share one probe.
 */
final class ReadinessCheck {

  private final Runnable probe;
  private final Duration timeout;
  private @Nullable CompletableFuture<Void> inFlight;

  /**
   * @param probe returns when the store has responded
   */
  ReadinessCheck(Runnable probe, Duration timeout) {
    this.probe = probe;
    this.timeout = timeout;
  }

  /** The reason why the store is not ready; null when it is. */
  @Nullable String reasonNotReady() {
    try {
      startProbe().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return null;
    } catch (TimeoutException e) {
      return "the database did not respond within %d ms".formatted(timeout.toMillis());
    } catch (ExecutionException e) {
      return "the database cannot be reached or is too busy";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  private synchronized CompletableFuture<Void> startProbe() {
    if (inFlight == null || inFlight.isDone()) {
      inFlight =
          CompletableFuture.runAsync(
              probe, task -> Thread.ofVirtual().name("readiness").start(task));
    }
    return inFlight;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store whether it answers. The store itself is patient in an outage; who asks here is
 * not. However many ask at once, one question is under way.
 */
final class ReadinessCheck {

  private final Runnable probe;
  private final Duration timeout;
  private @Nullable CompletableFuture<Void> inFlight;

  /**
   * @param question returns when the store has answered
   */
  ReadinessCheck(Runnable question, Duration patience) {
    this.probe = question;
    this.timeout = patience;
  }

  /** Why the store is not ready; null when it is. */
  @Nullable String reasonNotReady() {
    try {
      startProbe().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return null;
    } catch (TimeoutException e) {
      return "the store has not answered for %d ms".formatted(timeout.toMillis());
    } catch (ExecutionException e) {
      return "the store cannot be reached or is too busy";
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

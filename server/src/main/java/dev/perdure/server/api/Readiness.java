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
final class Readiness {

  private final Runnable question;
  private final Duration patience;
  private @Nullable CompletableFuture<Void> underWay;

  /**
   * @param question returns when the store has answered
   */
  Readiness(Runnable question, Duration patience) {
    this.question = question;
    this.patience = patience;
  }

  /** Why the store is not ready; null when it is. */
  @Nullable String trouble() {
    try {
      asked().get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return null;
    } catch (TimeoutException e) {
      return "the store has not answered for %d ms".formatted(patience.toMillis());
    } catch (ExecutionException e) {
      return "the store cannot be reached or is too busy";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  private synchronized CompletableFuture<Void> asked() {
    if (underWay == null || underWay.isDone()) {
      underWay =
          CompletableFuture.runAsync(
              question, task -> Thread.ofVirtual().name("readiness").start(task));
    }
    return underWay;
  }
}

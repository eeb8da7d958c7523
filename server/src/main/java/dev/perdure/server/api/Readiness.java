// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.store.TaskStore;
import java.time.Duration;
import java.util.UUID;
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

  private static final UUID NO_TASK = new UUID(0, 0);

  private final TaskStore store;
  private final Duration patience;
  private @Nullable CompletableFuture<Void> question;

  Readiness(TaskStore store, Duration patience) {
    this.store = store;
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
    if (question == null || question.isDone()) {
      CompletableFuture<Void> next = new CompletableFuture<>();
      Thread.ofVirtual().name("readiness").start(() -> ask(next));
      question = next;
    }
    return question;
  }

  private void ask(CompletableFuture<Void> answer) {
    try {
      store.reader().find(NO_TASK);
      answer.complete(null);
    } catch (RuntimeException e) {
      answer.completeExceptionally(e);
    }
  }
}

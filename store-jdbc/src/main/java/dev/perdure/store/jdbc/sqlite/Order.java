// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** An operation that waits for the writer, and its answer once that is durable. */
final class Order<T> {

  private final Work<T> work;
  private final CompletableFuture<T> answer = new CompletableFuture<>();
  private @Nullable T result;
  private @Nullable Throwable failure;

  Order(Work<T> work) {
    this.work = work;
  }

  void run(Session session, long now) throws SQLException {
    failure = null;
    result = work.on(session, now);
  }

  void failed(Throwable cause) {
    failure = cause;
  }

  /** Tells the caller what {@link #run} or {@link #failed} left; only once, only after commit. */
  @SuppressWarnings("NullAway") // a work of Void has no result
  void answer() {
    if (failure == null) {
      answer.complete(result);
    } else {
      answer.completeExceptionally(failure);
    }
  }

  /** Changes nothing when the caller was answered already. */
  void refuse(Throwable cause) {
    answer.completeExceptionally(cause);
  }

  /**
   * Waits for the answer, an interrupt notwithstanding: the write may be under way, and the caller
   * must know what became of it. The interrupt stays set.
   */
  T await() {
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw SqliteFailures.toThrow(e.getCause() == null ? e : e.getCause());
    }
  }
}

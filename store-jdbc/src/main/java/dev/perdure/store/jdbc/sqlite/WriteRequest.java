// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** An operation in the writer's queue, with a future for its result. */
final class WriteRequest<T> {

  private final SqliteOperation<T> operation;
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private @Nullable T result;
  private @Nullable Throwable failure;

  WriteRequest(SqliteOperation<T> operation) {
    this.operation = operation;
  }

  void run(SqliteSession session, long now) throws SQLException {
    failure = null;
    result = operation.run(session, now);
  }

  void setFailure(Throwable cause) {
    failure = cause;
  }

  /**
   * Passes the result of {@link #run} or {@link #setFailure} to the caller. Call it once, after the
   * commit.
   */
  @SuppressWarnings("NullAway") // an operation of type Void has no result
  void complete() {
    if (failure == null) {
      future.complete(result);
    } else {
      future.completeExceptionally(failure);
    }
  }

  /** Fails the request. Does nothing if it is already complete. */
  void fail(Throwable cause) {
    future.completeExceptionally(cause);
  }

  /**
   * Waits for the result even if the caller is interrupted, because the write may already have
   * started and the caller must know its result. The interrupt flag stays set.
   */
  T await() {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw SqliteErrors.toThrow(e.getCause() == null ? e : e.getCause());
    }
  }
}

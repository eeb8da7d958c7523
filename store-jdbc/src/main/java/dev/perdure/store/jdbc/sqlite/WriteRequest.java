// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** An operation that waits for the writer, and its answer once that is durable. */
final class WriteRequest<T> {

  private final SqliteOperation<T> operation;
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private @Nullable T result;
  private @Nullable Throwable failure;

  WriteRequest(SqliteOperation<T> sqliteOperation) {
    this.operation = sqliteOperation;
  }

  void run(SqliteSession sqliteSession, long now) throws SQLException {
    failure = null;
    result = operation.run(sqliteSession, now);
  }

  void setFailure(Throwable cause) {
    failure = cause;
  }

  /**
   * Tells the caller what {@link #run} or {@link #setFailure} left; only once, only after commit.
   */
  @SuppressWarnings("NullAway") // a work of Void has no result
  void complete() {
    if (failure == null) {
      future.complete(result);
    } else {
      future.completeExceptionally(failure);
    }
  }

  /** Changes nothing when the caller was answered already. */
  void fail(Throwable cause) {
    future.completeExceptionally(cause);
  }

  /**
   * Waits for the answer, an interrupt notwithstanding: the write may be under way, and the caller
   * must know what became of it. The interrupt stays set.
   */
  T await() {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw SqliteErrors.toThrow(e.getCause() == null ? e : e.getCause());
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way. Cancelling it cancels the exchange, which cancelling a derived stage would
 * not; an answer that comes all the same is let go.
 */
final class ResponseFuture<T extends @Nullable Object> extends CompletableFuture<HttpResponse<T>> {

  private final CompletableFuture<HttpResponse<T>> exchange;

  ResponseFuture(CompletableFuture<HttpResponse<T>> exchange, LastResponse lastResponse) {
    this.exchange = exchange;
    CompletionStage<HttpResponse<T>> stage = exchange;
    stage.whenComplete((answer, thrown) -> ended(lastResponse, answer, thrown));
  }

  private void ended(
      LastResponse lastResponse, @Nullable HttpResponse<T> answer, @Nullable Throwable thrown) {
    if (answer == null) {
      completeExceptionally(
          thrown != null ? thrown : new IllegalStateException("an HttpClient gave no answer"));
    } else if (isDone() || !complete(lastResponse.keep(answer))) {
      LastResponse.discard(answer.body());
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean canceled = super.cancel(mayInterruptIfRunning);
    exchange.cancel(mayInterruptIfRunning);
    return canceled;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The future response of a request. Canceling it cancels the exchange, which canceling a derived
 * stage would not do. A response that arrives anyway is discarded.
 */
final class ResponseFuture<T extends @Nullable Object> extends CompletableFuture<HttpResponse<T>> {

  private final CompletableFuture<HttpResponse<T>> exchange;

  ResponseFuture(CompletableFuture<HttpResponse<T>> exchange, LastResponse last) {
    this.exchange = exchange;
    CompletionStage<HttpResponse<T>> stage = exchange;
    stage.whenComplete((response, thrown) -> ended(last, response, thrown));
  }

  private void ended(
      LastResponse last, @Nullable HttpResponse<T> response, @Nullable Throwable thrown) {
    if (response == null) {
      completeExceptionally(
          thrown != null
              ? thrown
              : new IllegalStateException(
                  "the HttpClient returned neither a response nor an exception"));
    } else if (isDone() || !complete(last.keep(response))) {
      LastResponse.discard(response.body());
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean canceled = super.cancel(mayInterruptIfRunning);
    exchange.cancel(mayInterruptIfRunning);
    return canceled;
  }
}

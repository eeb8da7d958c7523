// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import java.net.http.HttpResponse;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Holds the last response of a request. When another attempt follows, its body is discarded,
 * because a body that is not read keeps its connection open.
 */
final class LastResponse {

  private @Nullable Object lastBody;

  <T extends @Nullable Object> HttpResponse<T> keep(HttpResponse<T> response) {
    lastBody = response.body();
    return response;
  }

  void discardLast() {
    Object body = lastBody;
    lastBody = null;
    discard(body);
  }

  /** Discards a body that will not be read. */
  static void discard(@Nullable Object body) {
    if (body instanceof AutoCloseable closeable) {
      close(closeable);
    } else if (body instanceof Flow.Publisher<?> publisher) {
      publisher.subscribe(new CancelingSubscriber());
    }
  }

  private static void close(AutoCloseable body) {
    try {
      body.close();
    } catch (Exception e) {
      // The response is discarded, so a failed close has no effect.
      System.getLogger("dev.perdure.retry")
          .log(System.Logger.Level.DEBUG, "A discarded response could not be closed", e);
    }
  }

  /** Cancels its subscription at once. */
  private static final class CancelingSubscriber implements Flow.Subscriber<Object> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.cancel();
    }

    @Override
    public void onNext(Object item) {}

    @Override
    public void onError(Throwable thrown) {}

    @Override
    public void onComplete() {}
  }
}

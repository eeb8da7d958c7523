// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import java.net.http.HttpResponse;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Holds the last answer of a request. When another attempt follows, its body is let go: a body that
 * nobody reads holds on to its connection.
 */
final class LastResponse {

  private @Nullable Object lastBody;

  <T extends @Nullable Object> HttpResponse<T> keep(HttpResponse<T> answer) {
    lastBody = answer.body();
    return answer;
  }

  void discardLast() {
    Object body = lastBody;
    lastBody = null;
    discard(body);
  }

  /** Lets go of a body that nobody will read. */
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
      // The answer is being thrown away; that it cannot be closed changes nothing.
      System.getLogger("dev.perdure.retry").log(System.Logger.Level.DEBUG, "discarded answer", e);
    }
  }

  /** Subscribes only to say that it wants nothing. */
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

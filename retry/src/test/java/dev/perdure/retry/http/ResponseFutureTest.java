// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.Retry;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;

class ResponseFutureTest {

  private final CompletableFuture<HttpResponse<InputStream>> exchange = new CompletableFuture<>();
  private final AtomicInteger closed = new AtomicInteger();
  private final LastResponse last = new LastResponse();
  private final ResponseFuture<InputStream> future = new ResponseFuture<>(exchange, last);

  private HttpResponse<InputStream> response() {
    return new FakeResponse<>(
        503,
        new ByteArrayInputStream(new byte[0]) {
          @Override
          public void close() throws IOException {
            closed.incrementAndGet();
            super.close();
          }
        });
  }

  @Test
  void returns_the_response_and_keeps_its_body_until_the_next_attempt() {
    exchange.complete(response());
    assertThat(future.join().statusCode()).isEqualTo(503);
    assertThat(closed).hasValue(0);
    last.discardLast();
    assertThat(closed).hasValue(1);
  }

  @Test
  void fails_if_the_exchange_fails() {
    exchange.completeExceptionally(new IOException("reset"));
    assertThat(future.exceptionNow()).isInstanceOf(IOException.class);
  }

  @Test
  void canceling_it_cancels_the_exchange() {
    future.cancel(true);
    assertThat(exchange).isCancelled();
  }

  @Test
  void closes_a_late_response() {
    future.completeExceptionally(new IOException("given up"));
    exchange.complete(response());
    assertThat(closed).hasValue(1);
  }

  /** The attempt times out before the server responds. */
  @Test
  void an_attempt_timeout_cancels_the_exchange() {
    FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
    CompletableFuture<HttpResponse<InputStream>> call =
        Retry.builder(RetryPolicy.none())
            .attemptTimeout(ofSeconds(1))
            .timeProvider(time)
            .build()
            .callAsync(() -> future);
    time.advance(ofSeconds(1));
    assertThat(call).isCompletedExceptionally();
    assertThat(exchange).isCancelled();
  }

  private record FakeResponse<T>(int statusCode, T body) implements HttpResponse<T> {
    @Override
    public HttpRequest request() {
      return HttpRequest.newBuilder(uri()).build();
    }

    @Override
    public Optional<HttpResponse<T>> previousResponse() {
      return Optional.empty();
    }

    @Override
    public HttpHeaders headers() {
      return HttpHeaders.of(Map.of(), (name, value) -> true);
    }

    @Override
    public Optional<SSLSession> sslSession() {
      return Optional.empty();
    }

    @Override
    public URI uri() {
      return URI.create("http://localhost/");
    }

    @Override
    public HttpClient.Version version() {
      return HttpClient.Version.HTTP_1_1;
    }
  }
}

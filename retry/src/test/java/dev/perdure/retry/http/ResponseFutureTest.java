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
  private final LastResponse lastResponse = new LastResponse();
  private final ResponseFuture<InputStream> sent = new ResponseFuture<>(exchange, lastResponse);

  private HttpResponse<InputStream> answer() {
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
  void gives_the_answer_and_keeps_its_body_until_the_next_attempt() {
    exchange.complete(answer());
    assertThat(sent.join().statusCode()).isEqualTo(503);
    assertThat(closed).hasValue(0);
    lastResponse.discardLast();
    assertThat(closed).hasValue(1);
  }

  @Test
  void fails_as_the_exchange_fails() {
    exchange.completeExceptionally(new IOException("reset"));
    assertThat(sent.exceptionNow()).isInstanceOf(IOException.class);
  }

  @Test
  void cancelling_it_cancels_the_exchange() {
    sent.cancel(true);
    assertThat(exchange).isCancelled();
  }

  @Test
  void lets_go_of_an_answer_that_comes_too_late() {
    sent.completeExceptionally(new IOException("nobody waits any more"));
    exchange.complete(answer());
    assertThat(closed).hasValue(1);
  }

  /** The time of an attempt is over while the server still thinks. */
  @Test
  void a_timeout_of_the_attempt_cancels_the_exchange() {
    FakeTimeProvider waits = FakeTimeProvider.startingAt(Instant.EPOCH);
    CompletableFuture<HttpResponse<InputStream>> future =
        Retry.builder(RetryPolicy.none())
            .attemptTimeout(ofSeconds(1))
            .timeProvider(waits)
            .build()
            .callAsync(() -> sent);
    waits.advance(ofSeconds(1));
    assertThat(future).isCompletedExceptionally();
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

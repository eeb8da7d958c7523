// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import static dev.perdure.retry.http.FlakyServer.status;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.RetrySummary;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRetryTest {

  private final HttpClient client = HttpClient.newHttpClient();
  private final FakeTimeProvider time =
      FakeTimeProvider.startingAt(Instant.parse("2026-11-15T12:00:00Z"));
  private final HttpRetry http = HttpRetry.builder(client).timeProvider(time).build();

  @AfterEach
  void closeClient() {
    client.close();
  }

  private static HttpRequest get(URI uri) {
    return HttpRequest.newBuilder(uri).build();
  }

  private static HttpRequest post(URI uri) {
    return HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString("order 1")).build();
  }

  private HttpResponse<String> send(HttpRequest request) throws Exception {
    return http.send(request, BodyHandlers.ofString());
  }

  @Test
  void retries_until_the_server_recovers() throws Exception {
    try (FlakyServer server = new FlakyServer(status(503), status(503), status(200))) {
      assertThat(send(get(server.uri())).body()).isEqualTo("status 200");
      assertThat(server.requests()).hasSize(3);
      assertThat(time.sleeps().getFirst()).isBetween(ofSeconds(1), ofSeconds(3));
    }
  }

  @Test
  void returns_the_last_response_when_no_retries_are_left() throws Exception {
    try (FlakyServer server = new FlakyServer(status(503))) {
      assertThat(send(get(server.uri())).statusCode()).isEqualTo(503);
      assertThat(server.requests()).hasSize(5);
    }
  }

  @Test
  void retries_asynchronously() throws Exception {
    HttpRetry async =
        HttpRetry.builder(client)
            .timeProvider(time)
            .retry(retry -> retry.executor(Runnable::run))
            .build();
    try (FlakyServer server = new FlakyServer(status(429), status(200))) {
      CompletableFuture<HttpResponse<String>> response =
          async.sendAsync(get(server.uri()), BodyHandlers.ofString());
      while (time.pending() == 0) {
        Thread.onSpinWait();
      }
      time.advance(ofSeconds(4));
      assertThat(response.get().statusCode()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 404, 409, 422})
  void does_not_repeat_client_errors(int status) throws Exception {
    try (FlakyServer server = new FlakyServer(status(status))) {
      assertThat(send(get(server.uri())).statusCode()).isEqualTo(status);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Retry-After         | 7                             | 7",
        "Retry-After         | 86400                         | 60",
        "RateLimit           | \"default\";r=0;t=11          | 11",
        "RateLimit           | \"a\";r=0;t=5, \"b\";r=0;t=12 | 12",
        "RateLimit           | \"a\";r=9;t=50, \"b\";r=0;t=12| 12"
      })
  void waits_as_long_as_the_server_asks(String header, String value, long seconds)
      throws Exception {
    try (FlakyServer server = new FlakyServer(status(503, header, value), status(200))) {
      send(get(server.uri()));
      assertThat(time.sleeps()).containsExactly(ofSeconds(seconds));
    }
  }

  /** The date is compared with the server's Date header, not with the clock of the test. */
  @Test
  void waits_until_the_date_that_the_server_names() throws Exception {
    String date =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            Instant.now().plusSeconds(40).atZone(ZoneOffset.UTC));
    try (FlakyServer server = new FlakyServer(status(503, "Retry-After", date), status(200))) {
      send(get(server.uri()));
      assertThat(time.sleeps().getFirst()).isBetween(ofSeconds(30), ofSeconds(41));
    }
  }

  @Test
  void ignores_a_rate_limit_that_is_not_exhausted() throws Exception {
    try (FlakyServer server =
        new FlakyServer(status(503, "RateLimit", "\"default\";r=5;t=3600"), status(200))) {
      send(get(server.uri()));
      assertThat(time.sleeps().getFirst()).isLessThan(ofSeconds(5));
    }
  }

  @Test
  void retry_after_takes_precedence_over_a_rate_limit() throws Exception {
    Map<String, String> both = Map.of("Retry-After", "7", "RateLimit", "\"default\";r=0;t=40");
    try (FlakyServer server =
        new FlakyServer(new FlakyServer.CannedResponse(503, both), status(200))) {
      send(get(server.uri()));
      assertThat(time.sleeps()).containsExactly(ofSeconds(7));
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 9, true", "3, 9, false", "0, soon, false", "0, -9, false"})
  void reads_the_older_rate_limit_headers(String remaining, String reset, boolean used)
      throws Exception {
    Map<String, String> older = Map.of("RateLimit-Remaining", remaining, "RateLimit-Reset", reset);
    try (FlakyServer server =
        new FlakyServer(new FlakyServer.CannedResponse(503, older), status(200))) {
      send(get(server.uri()));
      assertThat(time.sleeps().getFirst().equals(ofSeconds(9))).isEqualTo(used);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "PUT", "DELETE"})
  void repeats_idempotent_methods(String method) throws Exception {
    try (FlakyServer server = new FlakyServer(status(503), status(204))) {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri()).method(method, BodyPublishers.noBody()).build();
      send(request);
      assertThat(server.requests()).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PATCH"})
  void does_not_repeat_other_methods(String method) throws Exception {
    try (FlakyServer server = new FlakyServer(status(503), status(200))) {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri()).method(method, BodyPublishers.noBody()).build();
      assertThat(send(request).statusCode()).isEqualTo(503);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void repeats_a_post_with_a_key_and_its_body() throws Exception {
    try (FlakyServer server = new FlakyServer(status(503), status(200))) {
      HttpRequest request =
          HttpRequest.newBuilder(post(server.uri()), (name, value) -> true)
              .header("Idempotency-Key", "order-1")
              .build();
      assertThat(send(request).statusCode()).isEqualTo(200);
      assertThat(server.requests())
          .containsExactly(
              new FlakyServer.ReceivedRequest("POST", "order 1", List.of("order-1")),
              new FlakyServer.ReceivedRequest("POST", "order 1", List.of("order-1")));
    }
  }

  @Test
  void adds_one_key_for_all_attempts_of_a_request() throws Exception {
    HttpRetry keyed = HttpRetry.builder(client).timeProvider(time).addIdempotencyKey().build();
    try (FlakyServer server = new FlakyServer(status(503), status(503), status(200))) {
      keyed.send(post(server.uri()), BodyHandlers.ofString());
      keyed.send(post(server.uri()), BodyHandlers.ofString());
      List<List<String>> keys =
          server.requests().stream().map(FlakyServer.ReceivedRequest::keys).toList();
      assertThat(keys).hasSize(4).allMatch(list -> list.size() == 1);
      assertThat(keys.get(0)).isEqualTo(keys.get(1)).isEqualTo(keys.get(2));
      assertThat(keys.get(3)).isNotEqualTo(keys.get(0));
    }
  }

  @Test
  void does_not_repeat_a_body_that_may_not_be_replayable() throws Exception {
    SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>();
    try (FlakyServer server = new FlakyServer(status(503), status(200))) {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri()).PUT(BodyPublishers.fromPublisher(publisher)).build();
      CompletableFuture<HttpResponse<String>> response =
          http.sendAsync(request, BodyHandlers.ofString());
      while (publisher.getNumberOfSubscribers() == 0) {
        Thread.onSpinWait();
      }
      publisher.close();
      assertThat(response.get().statusCode()).isEqualTo(503);
      assertThat(server.requests()).hasSize(1);
    }
  }

  /**
   * The parts of a concatenated body cannot be inspected, and one of them may not be replayable.
   */
  @Test
  void does_not_repeat_a_concatenated_body() throws Exception {
    SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>();
    try (FlakyServer server = new FlakyServer(status(503), status(200))) {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri())
              .PUT(
                  BodyPublishers.concat(
                      BodyPublishers.ofString("begins "), BodyPublishers.fromPublisher(publisher)))
              .build();
      CompletableFuture<HttpResponse<String>> response =
          HttpRetry.wrap(client).sendAsync(request, BodyHandlers.ofString());
      while (publisher.getNumberOfSubscribers() == 0) {
        Thread.onSpinWait();
      }
      publisher.submit(ByteBuffer.wrap("and ends".getBytes(StandardCharsets.UTF_8)));
      publisher.close();
      assertThat(response.get().statusCode()).isEqualTo(503);
      assertThat(server.requests().getFirst().body()).isEqualTo("begins and ends");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void repeats_a_post_that_cannot_have_been_sent() throws Exception {
    // The port is bound, so that no other process can listen on it, but nothing listens here.
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      URI uri = URI.create("http://127.0.0.1:" + bound.getLocalPort() + "/");
      Throwable thrown = catchThrowable(() -> send(post(uri)));
      assertThat(thrown).isInstanceOf(ConnectException.class);
      assertThat(RetrySummary.of(thrown).orElseThrow().attempts()).isEqualTo(5);
    }
  }

  @Test
  void closes_the_responses_that_it_does_not_return() throws Exception {
    AtomicInteger closed = new AtomicInteger();
    try (FlakyServer server = new FlakyServer(status(503), status(503), status(200))) {
      HttpResponse<InputStream> response =
          http.send(
              get(server.uri()),
              info ->
                  HttpResponse.BodySubscribers.mapping(
                      HttpResponse.BodySubscribers.ofInputStream(),
                      stream -> new CountingStream(stream, closed)));
      assertThat(closed).hasValue(2);
      assertThat(response.body().readAllBytes()).asString().isEqualTo("status 200");
    }
  }

  @Test
  void closes_discarded_responses_in_an_asynchronous_call() throws Exception {
    AtomicInteger closed = new AtomicInteger();
    HttpRetry eager = HttpRetry.builder(client).policy(RetryPolicy.immediate().build()).build();
    try (FlakyServer server = new FlakyServer(status(503), status(503), status(200))) {
      HttpResponse<? extends InputStream> response =
          eager
              .sendAsync(
                  get(server.uri()),
                  info ->
                      HttpResponse.BodySubscribers.mapping(
                          HttpResponse.BodySubscribers.ofInputStream(),
                          stream -> new CountingStream(stream, closed)))
              .get();
      assertThat(closed).hasValue(2);
      assertThat(response.body().readAllBytes()).asString().isEqualTo("status 200");
    }
  }

  private static final class CountingStream extends FilterInputStream {
    private final AtomicInteger closed;

    CountingStream(InputStream stream, AtomicInteger closed) {
      super(stream);
      this.closed = closed;
    }

    @Override
    public void close() throws IOException {
      closed.incrementAndGet();
      super.close();
    }
  }
}

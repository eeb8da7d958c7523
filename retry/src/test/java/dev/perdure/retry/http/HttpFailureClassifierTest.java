// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import static dev.perdure.retry.http.FlakyServer.status;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.RetrySummary;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot have reached the server may always be sent again; what may have been applied not. */
class HttpFailureClassifierTest {

  private final FakeTimeProvider waits =
      FakeTimeProvider.startingAt(Instant.parse("2026-11-15T12:00:00Z"));
  private final HttpFailureClassifier ofPost = new HttpFailureClassifier(waits, false);
  private final HttpFailureClassifier ofGet = new HttpFailureClassifier(waits, true);

  static Stream<Exception> neverSent() {
    return Stream.of(
        new ConnectException("refused"),
        new HttpConnectTimeoutException("no connection"),
        new UnknownHostException("nowhere"),
        new UnresolvedAddressException());
  }

  static Stream<Exception> maybeApplied() {
    return Stream.of(
        new HttpTimeoutException("no answer"),
        new SocketException("connection reset"),
        new EOFException("closed in the middle"),
        new IOException("whatever"));
  }

  @ParameterizedTest
  @MethodSource("neverSent")
  void what_was_never_sent_is_left_to_the_policy(Exception thrown) {
    assertThat(ofPost.classify(thrown).permanent()).isFalse();
    assertThat(ofGet.classify(thrown).permanent()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("maybeApplied")
  void what_may_have_been_applied_is_final_unless_it_may_be_repeated(Exception thrown) {
    assertThat(ofPost.classify(thrown).permanent()).isTrue();
    assertThat(ofGet.classify(thrown).permanent()).isFalse();
  }

  @Test
  void a_timeout_of_either_sort_is_a_timeout() {
    assertThat(ofGet.classify(new HttpTimeoutException("no answer")))
        .returns(FailureKind.TIMEOUT, Failure::kind)
        .returns("no answer", Failure::message);
    assertThat(ofPost.classify(new HttpConnectTimeoutException("no connection")).kind())
        .isEqualTo(FailureKind.TIMEOUT);
  }

  /** With a server, since the exceptions above are only what we believe a client throws. */
  @Nested
  class OnTheWire {

    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpRetry http = HttpRetry.builder(client).timeProvider(waits).build();

    @AfterEach
    void closeClient() {
      client.close();
    }

    private long attempts(String method, URI uri, Duration timeout) {
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .timeout(timeout)
              .method(method, BodyPublishers.ofString("order 1"))
              .build();
      Throwable thrown = catchThrowable(() -> http.send(request, BodyHandlers.ofString()));
      return RetrySummary.of(thrown).orElseThrow().attempts();
    }

    @Test
    void a_connection_that_is_closed_without_an_answer_repeats_a_put_and_not_a_post()
        throws IOException {
      try (ServerSocket rude = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
        Thread.ofVirtual().start(() -> hangUpOnAll(rude));
        URI uri = URI.create("http://127.0.0.1:" + rude.getLocalPort() + "/");
        assertThat(attempts("POST", uri, ofSeconds(30))).isEqualTo(1);
        assertThat(attempts("PUT", uri, ofSeconds(30))).isGreaterThan(1);
      }
    }

    private static void hangUpOnAll(ServerSocket server) {
      while (!server.isClosed()) {
        try (Socket socket = server.accept()) {
          socket.getInputStream().read();
        } catch (IOException closed) {
          // The next one, or the end of the test.
        }
      }
    }

    @Test
    void an_answer_that_does_not_come_in_time_repeats_a_put_and_not_a_post() throws IOException {
      // Connections wait in the backlog: the client is connected, has sent, and hears nothing.
      try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
        URI uri = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
        assertThat(attempts("POST", uri, ofSeconds(5))).isEqualTo(1);
        assertThat(attempts("PUT", uri, ofMillis(50))).isGreaterThan(1);
      }
    }

    @Test
    void a_post_that_a_breaker_held_back_was_never_sent() throws Exception {
      AtomicInteger asked = new AtomicInteger();
      HttpRetry guarded =
          HttpRetry.builder(client)
              .timeProvider(waits)
              .policy(RetryPolicy.fixed(ofSeconds(1)).build())
              .retry(retry -> retry.circuitBreaker(() -> asked.incrementAndGet() > 2))
              .build();
      try (FlakyServer server = new FlakyServer(status(200))) {
        HttpRequest post =
            HttpRequest.newBuilder(server.uri()).POST(BodyPublishers.ofString("order 1")).build();
        assertThat(guarded.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        assertThat(server.asked()).hasSize(1);
      }
      assertThat(asked).hasValue(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT"})
    void one_key_goes_with_all_attempts_of_an_asynchronous_request(String method) throws Exception {
      HttpRetry keyed =
          HttpRetry.builder(client)
              .policy(RetryPolicy.immediate().build())
              .addIdempotencyKey()
              .build();
      try (FlakyServer server = new FlakyServer(status(503), status(503), status(200))) {
        HttpRequest request =
            HttpRequest.newBuilder(server.uri())
                .method(method, BodyPublishers.ofString("order 1"))
                .build();
        assertThat(keyed.sendAsync(request, BodyHandlers.ofString()).get().statusCode())
            .isEqualTo(200);
        List<List<String>> keys =
            server.asked().stream().map(FlakyServer.ReceivedRequest::keys).toList();
        assertThat(keys).hasSize(3);
        assertThat(keys.stream().distinct()).hasSize(1);
        assertThat(keys.getFirst()).hasSize(method.equals("POST") ? 1 : 0);
      }
    }
  }
}

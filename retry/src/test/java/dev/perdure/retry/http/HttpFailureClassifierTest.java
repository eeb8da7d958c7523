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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A request that cannot have reached the server may always be sent again; one that may have been
 * applied may not.
 */
@Tag("slow")
class HttpFailureClassifierTest {

  private final FakeTimeProvider time =
      FakeTimeProvider.startingAt(Instant.parse("2026-11-15T12:00:00Z"));
  private final HttpFailureClassifier notRepeatable = new HttpFailureClassifier(time, false);
  private final HttpFailureClassifier repeatable = new HttpFailureClassifier(time, true);

  static Stream<Exception> neverSent() {
    return Stream.of(
        new ConnectException("refused"),
        new HttpConnectTimeoutException("no connection"),
        new UnknownHostException("nowhere"),
        new UnresolvedAddressException());
  }

  static Stream<Exception> maybeApplied() {
    return Stream.of(
        new HttpTimeoutException("no response"),
        new SocketException("connection reset"),
        new EOFException("closed in the middle"),
        new IOException("whatever"));
  }

  @ParameterizedTest
  @MethodSource("neverSent")
  void a_request_that_was_never_sent_is_left_to_the_policy(Exception thrown) {
    assertThat(notRepeatable.classify(thrown).permanent()).isFalse();
    assertThat(repeatable.classify(thrown).permanent()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("maybeApplied")
  void a_request_that_may_have_been_applied_is_repeated_only_if_repeatable(Exception thrown) {
    assertThat(notRepeatable.classify(thrown).permanent()).isTrue();
    assertThat(repeatable.classify(thrown).permanent()).isFalse();
  }

  @Test
  void both_timeout_exceptions_are_timeouts() {
    assertThat(repeatable.classify(new HttpTimeoutException("no response")))
        .returns(FailureKind.TIMEOUT, Failure::kind)
        .returns("no response", Failure::message);
    assertThat(notRepeatable.classify(new HttpConnectTimeoutException("no connection")).kind())
        .isEqualTo(FailureKind.TIMEOUT);
  }

  /** With a real connection, because the exceptions above only assume what a client throws. */
  @Nested
  class WithARealConnection {

    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpRetry http = HttpRetry.builder(client).timeProvider(time).build();

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
    void a_connection_closed_without_a_response_repeats_a_put_but_not_a_post() throws IOException {
      try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
        Thread.ofVirtual().start(() -> closeAllConnections(server));
        URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
        assertThat(attempts("POST", uri, ofSeconds(30))).isEqualTo(1);
        assertThat(attempts("PUT", uri, ofSeconds(30))).isGreaterThan(1);
      }
    }

    private static void closeAllConnections(ServerSocket server) {
      while (!server.isClosed()) {
        try (Socket socket = server.accept()) {
          socket.getInputStream().read();
        } catch (IOException closed) {
          // The next connection, or the end of the test.
        }
      }
    }

    @Test
    void a_response_timeout_repeats_a_put_but_not_a_post() throws IOException {
      // Connections wait in the backlog: the client connects and sends, and gets no response.
      try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
        URI uri = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
        assertThat(attempts("POST", uri, ofSeconds(5))).isEqualTo(1);
        assertThat(attempts("PUT", uri, ofMillis(50))).isGreaterThan(1);
      }
    }

    @Test
    void a_post_that_a_circuit_breaker_prevented_was_never_sent() throws Exception {
      AtomicInteger permits = new AtomicInteger();
      HttpRetry guarded =
          HttpRetry.builder(client)
              .timeProvider(time)
              .policy(RetryPolicy.fixed(ofSeconds(1)).build())
              .retry(retry -> retry.circuitBreaker(() -> permits.incrementAndGet() > 2))
              .build();
      try (FlakyServer server = new FlakyServer(status(200))) {
        HttpRequest post =
            HttpRequest.newBuilder(server.uri()).POST(BodyPublishers.ofString("order 1")).build();
        assertThat(guarded.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        assertThat(server.requests()).hasSize(1);
      }
      assertThat(permits).hasValue(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT"})
    void all_attempts_of_an_asynchronous_request_have_the_same_key(String method) throws Exception {
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
            server.requests().stream().map(FlakyServer.ReceivedRequest::keys).toList();
        assertThat(keys).hasSize(3);
        assertThat(keys.stream().distinct()).hasSize(1);
        assertThat(keys.getFirst()).hasSize(method.equals("POST") ? 1 : 0);
      }
    }
  }
}

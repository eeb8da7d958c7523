// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.perdure.client.TransportException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client when the server fails, is slow, or sends an unexpected response. */
@Timeout(60)
class TransportTest {

  private static final String BUSY =
      "{\"title\": \"Service Unavailable\", \"detail\": \"too busy\"}";
  private static final int NO_RESPONSE = 0;

  private final List<String> keys = new CopyOnWriteArrayList<>();
  private @Nullable HttpServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.stop(0);
    }
  }

  /** A server that responds with these statuses in turn. */
  private PerdureClient scripted(String created, Integer... statuses) throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server = http;
    Iterator<Integer> script = List.of(statuses).iterator();
    http.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key")));
          int status = script.next();
          if (status != NO_RESPONSE) {
            byte[] body = (status == 503 ? BUSY : created).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    http.start();
    return PerdureClient.builder(url(http.getAddress().getPort())).build();
  }

  private static URI url(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  private static TransportException failure(PerdureClient client) {
    return catchThrowableOfType(TransportException.class, () -> client.submit(TaskRequest.of("a")));
  }

  private static String task() {
    UUID id = new UUID(1, 2);
    return ("[{\"id\": \"%s\", \"batch_id\": \"%s\", \"kind\": \"a\", \"status\": \"Dreaming\","
            + " \"created_at\": \"2026-01-01T00:00:00Z\", \"run_at\": \"2026-01-01T00:00:00Z\","
            + " \"last_updated\": \"2026-01-01T00:00:00Z\", \"new_field\": 1}]")
        .formatted(id, id);
  }

  @Test
  void reads_responses_of_newer_servers() throws IOException {
    try (PerdureClient client = scripted(task(), 201)) {
      assertThat(client.submit(TaskRequest.of("a")).tasks().getFirst().status())
          .isEqualTo(TaskStatus.UNKNOWN);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {503, NO_RESPONSE})
  void sends_a_submission_once_more_under_the_same_key(int first) throws IOException {
    try (PerdureClient client = scripted(task(), first, 201)) {
      client.submit(TaskRequest.of("a"));
    }
    assertThat(keys).hasSize(2).doesNotContain("null");
    assertThat(Set.copyOf(keys)).hasSize(1);
  }

  @Test
  void reports_that_a_submission_may_have_been_accepted() throws IOException {
    try (PerdureClient client = scripted("", NO_RESPONSE, NO_RESPONSE)) {
      TransportException lost = failure(client);

      assertThat(lost.reason()).isEqualTo(Reason.CONNECTION_LOST);
      assertThat(lost.mayHaveBeenCarriedOut()).isTrue();
    }
  }

  @Test
  void reports_a_possible_submission_when_a_503_follows_a_lost_response() throws IOException {
    try (PerdureClient client = scripted("", NO_RESPONSE, 503)) {
      assertThat(failure(client).mayHaveBeenCarriedOut()).isTrue();
    }
  }

  @Test
  void reports_a_server_that_stays_busy() throws IOException {
    try (PerdureClient client = scripted("", 503, 503)) {
      assertThatThrownBy(() -> client.submit(TaskRequest.of("a")))
          .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.isTemporary()).isTrue())
          .hasMessage("503 Service Unavailable: too busy");
    }
  }

  @Test
  void does_not_repeat_other_requests() throws IOException {
    try (PerdureClient client = scripted("", NO_RESPONSE, 200)) {
      assertThatThrownBy(() -> client.cancel(new UUID(1, 2)))
          .isInstanceOf(TransportException.class);
    }
    assertThat(keys).containsExactly("null");
  }

  @Test
  void reports_that_a_request_never_arrived() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    try (PerdureClient client = PerdureClient.builder(url(free)).build()) {
      TransportException refused = failure(client);

      assertThat(refused.reason()).isEqualTo(Reason.NOT_CONNECTED);
      assertThat(refused.mayHaveBeenCarriedOut()).isFalse();
      assertThat(refused).hasMessage("cannot connect to http://127.0.0.1:" + free);
    }
    try (PerdureClient client =
        PerdureClient.builder(URI.create("http://no-such-host.invalid")).build()) {
      assertThat(failure(client).reason()).isEqualTo(Reason.UNKNOWN_HOST);
    }
  }

  @Test
  void stops_waiting_after_the_timeout() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        PerdureClient client =
            PerdureClient.builder(url(silent.getLocalPort()))
                .timeout(Duration.ofMillis(200))
                .build()) {
      TransportException late =
          catchThrowableOfType(TransportException.class, () -> client.list(TaskSearch.all()));

      assertThat(late.reason()).isEqualTo(Reason.TIMEOUT);
      assertThat(late.mayHaveBeenCarriedOut()).isTrue();
      assertThat(late).hasMessageEndingWith("did not answer within 200ms");
    }
  }

  @Test
  void stops_waiting_when_its_thread_is_interrupted() throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        PerdureClient client = PerdureClient.builder(url(silent.getLocalPort())).build()) {
      Thread waiting = Thread.currentThread();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  silent.accept();
                  connected.countDown();
                } catch (IOException e) {
                  // The test is over.
                }
                waiting.interrupt();
              });

      assertThatThrownBy(() -> client.list(TaskSearch.all()))
          .isInstanceOfSatisfying(
              TransportException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INTERRUPTED));
      assertThat(Thread.interrupted()).isTrue();
      connected.await();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hello", "[{\"id\": 7}]", "[{\"id\": \"x\"}]", "[[]]"})
  void rejects_responses_that_are_not_from_perdure(String body) throws IOException {
    try (PerdureClient client = scripted(body, 200)) {
      assertThatThrownBy(() -> client.list(TaskSearch.all()))
          .isInstanceOfSatisfying(
              TransportException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.UNEXPECTED_ANSWER));
    }
    try (PerdureClient client = scripted(body, 502)) {
      assertThatThrownBy(() -> client.list(TaskSearch.all())).hasMessageContaining("answered 502");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://x", "http:/x", "http://h?x", "http://h#x", "http://u@h", "h:80"})
  void refuses_an_invalid_server_url(String url) {
    assertThatThrownBy(() -> PerdureClient.builder(URI.create(url)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("url: must be like http://127.0.0.1:8085");
  }

  @Test
  void reads_handles_and_keeps_their_tokens_secret() {
    String id = "01a1e3a5-58d0-7000-a3b6-4243e4b38000";
    URI handle = URI.create("https://perdure.example/prefix/task/" + id + "?handle=h1.1.abc-DEF_1");
    AttemptRef attempt = AttemptRef.ofHandle(handle);

    assertThat(attempt.task()).hasToString(id);
    assertThat(attempt.path()).isEqualTo("/task/" + id + "?handle=h1.1.abc-DEF_1");
    assertThat(attempt).asString().doesNotContain("abc");
    assertThatThrownBy(() -> AttemptRef.ofHandle(URI.create("http://h/task/1?handle=secret")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
  }
}

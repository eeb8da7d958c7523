// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.client.TransportException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the client does when a response is missing or an error. */
@Tag("slow")
@Timeout(60)
class TransportTest extends ScriptedServerFixture {

  @ParameterizedTest
  @ValueSource(ints = {BUSY, UNSURE, NO_RESPONSE, 502, 504})
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
      assertThat(lost.outcomeUnknown()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {UNSURE, NO_RESPONSE})
  void reports_an_unknown_outcome_when_the_server_is_busy_at_the_second_send(int first)
      throws IOException {
    try (PerdureClient client = scripted("", first, BUSY)) {
      ApiException busy =
          catchThrowableOfType(ApiException.class, () -> client.submit(TaskRequest.of("a")));

      assertThat(busy.outcomeUnknown()).isTrue();
      assertThat(busy.isTemporary()).isFalse();
    }
  }

  @Test
  void reports_an_unknown_outcome_when_the_server_has_stopped_at_the_second_send()
      throws Exception {
    try (ServerSocket stopping = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        PerdureClient client = PerdureClient.builder(url(stopping.getLocalPort())).build()) {
      Thread server = Thread.ofVirtual().start(() -> replyUnsureAndStop(stopping));
      TransportException refused = failure(client);
      server.join();

      assertThat(refused.reason()).isEqualTo(Reason.NOT_CONNECTED);
      assertThat(refused.outcomeUnknown()).isTrue();
    }
  }

  private static void replyUnsureAndStop(ServerSocket stopping) {
    try (Socket caller = stopping.accept()) {
      stopping.close();
      caller.getInputStream().read(new byte[1_000]);
      String response = "HTTP/1.1 503 X\r\nConnection: close\r\n\r\n" + BUSY_PROBLEM;
      caller.getOutputStream().write(response.getBytes(StandardCharsets.US_ASCII));
      caller.shutdownOutput();
      caller.getInputStream().readAllBytes();
    } catch (IOException e) {
      // The client has closed the connection.
    }
  }

  @Test
  void reports_whether_a_failed_request_may_have_been_executed() throws IOException {
    try (PerdureClient client = scripted(BUSY_PROBLEM, BUSY, UNSURE, 500)) {
      ApiException busy = catchThrowableOfType(ApiException.class, () -> client.cancel(ID));
      assertThat(busy.retryAfter()).contains(Duration.ofSeconds(2));
      assertThat(busy.isTemporary()).isTrue();
      assertThat(busy.outcomeUnknown()).isFalse();

      for (int i = 0; i < 2; i++) {
        ApiException unsure = catchThrowableOfType(ApiException.class, () -> client.cancel(ID));
        assertThat(unsure.retryAfter()).isEmpty();
        assertThat(unsure.isTemporary()).isFalse();
        assertThat(unsure.outcomeUnknown()).isTrue();
      }
    }
  }

  @Test
  void reports_a_server_that_stays_busy() throws IOException {
    try (PerdureClient client = scripted("", BUSY, BUSY)) {
      assertThatThrownBy(() -> client.submit(TaskRequest.of("a")))
          .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.isTemporary()).isTrue())
          .hasMessage("503 Service Unavailable: too busy");
    }
  }

  @Test
  void does_not_repeat_other_requests() throws IOException {
    try (PerdureClient client = scripted("", NO_RESPONSE, 200)) {
      assertThatThrownBy(() -> client.cancel(ID)).isInstanceOf(TransportException.class);
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
      assertThat(refused.outcomeUnknown()).isFalse();
      assertThat(refused).hasMessage("cannot connect to http://127.0.0.1:" + free);
      assertThat(client.isReady()).isFalse();
    }
    try (PerdureClient client =
        PerdureClient.builder(URI.create("http://no-such-host.invalid")).build()) {
      assertThat(failure(client).reason()).isEqualTo(Reason.UNKNOWN_HOST);
      assertThat(client.isReady()).isFalse();
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
      assertThat(late.outcomeUnknown()).isTrue();
      assertThat(late).hasMessageEndingWith("did not answer within 200ms");
    }
  }

  /** A caller that passes the rest of an overall limit then finds that this limit has passed. */
  @Test
  void waits_for_fractions_of_a_millisecond_too() throws IOException {
    Duration timeout = Duration.ofNanos(2_999_999);
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        PerdureClient client =
            PerdureClient.builder(url(silent.getLocalPort())).timeout(timeout).build()) {
      for (int i = 0; i < 30; i++) {
        long start = System.nanoTime();
        assertThatThrownBy(() -> client.list(TaskSearch.all()))
            .isInstanceOf(TransportException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(timeout);
      }
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
  @ValueSource(strings = {"pk_abc_topsecret\n", "pk_abc topsecret", "topsecrét", ""})
  void refuses_an_invalid_key_without_quoting_it(String key) {
    PerdureClientBuilder builder = PerdureClient.builder(url(1));

    assertThatThrownBy(() -> builder.apiKey(key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secr");
  }

  @Test
  void keeps_secrets_out_of_strings() throws IOException {
    Webhook webhook =
        Webhook.post(URI.create("http://h/"))
            .header("Authorization", "topsecret")
            .body("topsecret");
    assertThat(TaskRequest.of("a", "topsecret").name("n").localId("l").onStart(webhook))
        .hasToString("TaskRequest[kind=a, name=n, localId=l]");
    try (PerdureClient client = scripted("{\"key\": \"topsecret\"}", 201)) {
      assertThat(client.send("POST", "/key", null)).asString().doesNotContain("topsecret");
    }
  }

  @Test
  void refuses_requests_after_it_is_closed() throws IOException {
    PerdureClient client = scripted("[]", 200);
    client.close();

    assertThatThrownBy(() -> client.list(TaskSearch.all()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the client is closed");
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
    try (PerdureClient client = PerdureClient.builder(url(1)).build()) {
      assertThatThrownBy(() -> client.heartbeat(attempt, Duration.ofMinutes(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a callback has no lease: use reportProgress");
    }
    assertThatThrownBy(() -> AttemptRef.ofHandle(URI.create("http://h/task/1?handle=secret")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
  }
}

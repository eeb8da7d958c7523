// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses of every size and form. */
@Timeout(60)
class ReceivedResponseTest {

  private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private final GuardedHttpSender sender = TestSenders.local();

  @AfterEach
  void close() {
    sender.close();
  }

  private CallResult.Responded receive(String raw) throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.respondingWith(raw)) {
      CallResult result = sender.send(TestSenders.get(peer.url()));
      assertThat(result).isInstanceOf(CallResult.Responded.class);
      return (CallResult.Responded) result;
    }
  }

  @Test
  void a_2xx_is_not_a_failure() throws Exception {
    CallResult.Responded responded =
        receive("HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhällo");

    assertThat(responded.status()).isEqualTo(201);
    assertThat(responded.body()).isEqualTo("häll");
    assertThat(responded.truncated()).isFalse();
    assertThat(responded.failure()).isEmpty();
  }

  @Test
  void a_chunked_response_is_joined() throws Exception {
    String raw =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";

    assertThat(receive(raw).body()).isEqualTo("abcde");
  }

  @Test
  void a_response_that_ends_with_the_connection_is_complete() throws Exception {
    assertThat(receive("HTTP/1.1 200 OK\r\n\r\nabc").body()).isEqualTo("abc");
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 304})
  void a_response_without_a_body_ends_at_once(int status) throws Exception {
    try (ScriptedPeer peer =
        ScriptedPeer.of(
            (self, socket) -> {
              self.readRequest(socket);
              self.send(socket, "HTTP/1.1 " + status + " x\r\n\r\n");
              self.awaitDisconnect(socket);
            })) {
      assertThat(sender.send(TestSenders.get(peer.url()))).hasToString("response " + status);
    }
  }

  @Test
  void interim_responses_are_skipped() throws Exception {
    String raw = "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + EMPTY;

    assertThat(receive(raw).status()).isEqualTo(200);
  }

  @Test
  void a_failure_carries_the_status() throws Exception {
    Failure failure =
        receive("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n").failure().orElseThrow();

    assertThat(failure.kind()).isEqualTo(FailureKind.WEBHOOK_FAILURE);
    assertThat(failure.status()).isEqualTo(503);
    assertThat(failure.retryAfter()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Retry-After: 120 | 120",
        "Retry-After: Sun, 01 Mar 2026 12:00:30 GMT | 30",
        "Date: Sun, 01 Mar 2026 11:59:00 GMT~Retry-After: Sun, 01 Mar 2026 12:00:30 GMT | 90",
        "Retry-After: 5~Retry-After: 7 | 7",
        "Retry-After: Sun, 01 Mar 2020 12:00:30 GMT | 0"
      })
  void retry_after_is_read_as_seconds_and_as_date(String headers, int seconds) throws Exception {
    String raw =
        "HTTP/1.1 429 Slow\r\nContent-Length: 0\r\n" + headers.replace("~", "\r\n") + "\r\n\r\n";

    assertThat(receive(raw).failure().orElseThrow().retryAfter())
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void an_invalid_retry_after_is_ignored() throws Exception {
    String raw = "HTTP/1.1 429 Slow\r\nContent-Length: 0\r\nRetry-After: soon\r\n\r\n";

    assertThat(receive(raw).retryAfter()).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void redirects_are_not_followed(int status) throws Exception {
    try (ScriptedPeer target = ScriptedPeer.respondingWith(EMPTY)) {
      CallResult.Responded responded =
          receive(
              "HTTP/1.1 %d Moved\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n"
                  .formatted(status, target.url()));

      assertThat(responded.failure().orElseThrow().status()).isEqualTo(status);
      assertThat(target.accepted()).isZero();
    }
  }

  @Test
  void a_body_of_exactly_the_limit_is_complete() throws Exception {
    String body = "x".repeat(64 * 1024);
    CallResult.Responded responded =
        receive("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);

    assertThat(responded.body()).isEqualTo(body);
    assertThat(responded.truncated()).isFalse();
  }

  @Test
  void a_body_one_byte_over_the_limit_is_truncated() throws Exception {
    String body = "x".repeat(64 * 1024 + 1);
    CallResult.Responded responded =
        receive("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);

    assertThat(responded.body()).hasSize(64 * 1024);
    assertThat(responded.truncated()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 99999999999", "Transfer-Encoding: chunked", "X-A: b"})
  void an_endless_response_is_truncated_and_abandoned(String framing) throws Exception {
    String chunk = framing.contains("chunked") ? "1000\r\n" : "";
    String end = framing.contains("chunked") ? "\r\n" : "";
    try (ScriptedPeer peer =
        ScriptedPeer.of(
            (self, socket) -> {
              self.readRequest(socket);
              self.send(socket, "HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\n");
              while (true) {
                self.send(socket, chunk + "x".repeat(0x1000) + end);
              }
            })) {
      CallResult result = sender.send(TestSenders.get(peer.url()));

      assertThat(result).isInstanceOf(CallResult.Responded.class);
      assertThat(((CallResult.Responded) result).body()).hasSize(64 * 1024);
      assertThat(((CallResult.Responded) result).truncated()).isTrue();
    }
  }
}

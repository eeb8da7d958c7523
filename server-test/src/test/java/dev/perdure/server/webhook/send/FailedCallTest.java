// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that fail, and the failure that each reports. */
@Tag("slow")
@Timeout(60)
class FailedCallTest {

  /** Long enough to connect on a busy machine. */
  private static final Duration SHORT = Duration.ofSeconds(1);

  private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private final GuardedHttpSender sender = TestSenders.local();

  @AfterEach
  void close() {
    sender.close();
  }

  private CallResult callPeer(ScriptedPeer.Script script) throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.of(script)) {
      return sender.send(TestSenders.post(peer.url(), "{}", SHORT));
    }
  }

  private void assertCode(CallResult result, String code) {
    Failure failure = result.failure().orElseThrow();
    assertThat(failure.kind()).isEqualTo(FailureKind.WEBHOOK_FAILURE);
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.hasStatus()).isFalse();
    if (code.equals(CallResult.REFUSED)) {
      assertThat(failure.exceptionTypes()).isEmpty();
    } else {
      assertThat(failure.exceptionTypes())
          .contains("java.io.IOException")
          .allSatisfy(type -> assertThat(type).startsWith("java"));
    }
    if (code.equals(CallResult.TIMEOUT)) {
      assertType(result, "java.net.SocketTimeoutException");
    }
  }

  /** The nearest type, which is the most specific one for a policy. */
  private void assertType(CallResult result, String type) {
    assertThat(result.failure().orElseThrow().exceptionTypes()).startsWith(type);
  }

  @Test
  void a_closed_port_is_reported_as_unsent() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    CallResult result = sender.send(TestSenders.get("http://127.0.0.1:" + port + "/"));

    assertCode(result, CallResult.UNSENT);
    assertThat(result.failure().orElseThrow().message())
        .endsWith("cannot connect to 127.0.0.1:" + port + ": Connection refused");
    assertType(result, "java.net.ConnectException");
  }

  @Test
  void an_unknown_name_is_reported_as_unsent() {
    CallResult result = sender.send(TestSenders.get("http://nowhere.test/"));

    assertCode(result, CallResult.UNSENT);
    assertThat(result.failure().orElseThrow().message())
        .contains("nowhere.test cannot be resolved");
    assertType(result, "java.net.UnknownHostException");
  }

  @Test
  void a_name_without_an_address_is_an_unknown_host() {
    try (GuardedHttpSender named =
        TestSenders.allowing("127.0.0.0/8", TestSenders.resolvingTo(), TestSenders.options())) {
      CallResult result = named.send(TestSenders.get("http://empty.test/"));

      assertCode(result, CallResult.UNSENT);
      assertType(result, "java.net.UnknownHostException");
    }
  }

  @Test
  void the_next_address_is_tried_when_one_refuses() throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.respondingWith(EMPTY);
        GuardedHttpSender named =
            TestSenders.allowing(
                "127.0.0.0/8",
                TestSenders.resolvingTo("127.0.0.9", "127.0.0.1"),
                TestSenders.options())) {
      assertThat(named.send(TestSenders.get("http://two.test:" + peer.port() + "/")))
          .hasToString("response 200");
    }
  }

  @Test
  void a_refused_address_says_how_to_allow_it() {
    CallResult result = sender.send(TestSenders.get("http://10.0.0.1/"));

    assertCode(result, CallResult.REFUSED);
    assertThat(result.failure().orElseThrow().message())
        .contains("10.0.0.1 is a non-public address (private)", "WEBHOOK_ALLOW");
    assertThat(result.failure().orElseThrow().permanent()).isTrue();
  }

  @ResourceLock(Resources.SYSTEM_ERR)
  @Test
  void a_name_with_an_internal_address_does_not_reveal_it() {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try (GuardedHttpSender named =
        TestSenders.allowing("", TestSenders.resolvingTo("10.20.30.40"), TestSenders.options())) {
      CallResult result = named.send(TestSenders.get("http://db.corp.test/"));

      assertCode(result, CallResult.REFUSED);
      assertThat(result.failure().orElseThrow().message())
          .contains("db.corp.test resolves to a non-public address (private)", "WEBHOOK_ALLOW")
          .doesNotContain("10.20.30.40");
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("db.corp.test resolves to 10.20.30.40");
  }

  /** Connecting has its own timeout, far below that of the call. */
  @ParameterizedTest
  @CsvSource({"400, 400", "0, 5000"})
  void a_peer_that_never_accepts_the_connection_is_a_timeout(long given, long limit)
      throws Exception {
    SenderOptions usual = TestSenders.options();
    SenderOptions options = given == 0 ? usual : usual.withConnectTimeout(Duration.ofMillis(given));
    try (FullBacklog peer = new FullBacklog();
        GuardedHttpSender local =
            TestSenders.allowing("127.0.0.0/8", TestSenders.NO_NAMES, options)) {
      long before = System.nanoTime();
      CallResult result = local.send(TestSenders.get("http://127.0.0.1:" + peer.port() + "/"));
      Duration took = Duration.ofNanos(System.nanoTime() - before);

      assertCode(result, CallResult.TIMEOUT);
      assertThat(result.failure().orElseThrow().message())
          .contains("cannot connect to 127.0.0.1:" + peer.port());
      assertThat(took)
          .isBetween(Duration.ofMillis(limit - 50), Duration.ofMillis(limit).plusSeconds(10));
    }
  }

  @Test
  void a_peer_that_never_responds_is_a_timeout() throws Exception {
    CallResult result =
        callPeer(
            (self, socket) -> {
              self.readRequest(socket);
              self.awaitDisconnect(socket);
            });

    assertCode(result, CallResult.TIMEOUT);
    assertThat(result.failure().orElseThrow().message()).contains("within 1s");
  }

  @Test
  void a_peer_that_never_reads_is_a_timeout() throws Exception {
    String large = "x".repeat(32 << 20);
    try (ScriptedPeer peer = ScriptedPeer.of((self, socket) -> self.pause(30_000))) {
      assertCode(sender.send(TestSenders.post(peer.url(), large, SHORT)), CallResult.TIMEOUT);
    }
  }

  @Test
  void a_body_that_arrives_byte_by_byte_is_a_timeout() throws Exception {
    assertCode(callPeer(sendingSlowly("HTTP/1.1 200 OK\r\n\r\n", "x")), CallResult.TIMEOUT);
  }

  @Test
  void headers_that_arrive_line_by_line_are_a_timeout() throws Exception {
    assertCode(callPeer(sendingSlowly("HTTP/1.1 200 OK\r\n", "a: b\r\n")), CallResult.TIMEOUT);
  }

  @Test
  void a_failure_with_a_slow_body_keeps_its_status() throws Exception {
    String head = "HTTP/1.1 503 Busy\r\nRetry-After: 9\r\n\r\n";
    try (ScriptedPeer peer = ScriptedPeer.of(sendingSlowly(head, "x"))) {
      CallResult result = sender.send(TestSenders.post(peer.url(), "{}", Duration.ofSeconds(5)));

      Failure failure = result.failure().orElseThrow();
      assertThat(failure.status()).isEqualTo(503);
      assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(9));
    }
  }

  private ScriptedPeer.Script sendingSlowly(String first, String part) {
    return (self, socket) -> {
      self.readRequest(socket);
      self.send(socket, first);
      while (self.pause(20)) {
        self.send(socket, part);
      }
    };
  }

  @Test
  void endless_headers_end_with_an_unknown_result() throws Exception {
    CallResult result =
        callPeerWithLongTimeout(
            (self, socket) -> {
              self.readRequest(socket);
              self.send(socket, "HTTP/1.1 200 OK\r\n");
              while (true) {
                self.send(socket, "a: b\r\n".repeat(100));
              }
            });

    assertCode(result, CallResult.UNKNOWN);
  }

  @Test
  void an_endless_line_ends_with_an_unknown_result() throws Exception {
    CallResult result =
        callPeerWithLongTimeout(
            (self, socket) -> {
              self.readRequest(socket);
              self.send(socket, "HTTP/1.1 200 OK\r\nx: ");
              while (true) {
                self.send(socket, "x".repeat(1_000));
              }
            });

    assertCode(result, CallResult.UNKNOWN);
  }

  @Test
  void endless_interim_responses_end_with_an_unknown_result() throws Exception {
    CallResult result =
        callPeerWithLongTimeout(
            (self, socket) -> {
              self.readRequest(socket);
              while (true) {
                self.send(socket, "HTTP/1.1 102 Processing\r\n\r\n");
              }
            });

    assertCode(result, CallResult.UNKNOWN);
  }

  private CallResult callPeerWithLongTimeout(ScriptedPeer.Script script) throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.of(script)) {
      return sender.send(TestSenders.post(peer.url(), "{}", TestSenders.LONG));
    }
  }

  @Test
  void a_disconnect_after_the_request_is_an_unknown_result() throws Exception {
    assertCode(
        callPeerWithLongTimeout((self, socket) -> self.readRequest(socket)), CallResult.UNKNOWN);
  }

  @Test
  void a_response_shorter_than_its_content_length_is_an_unknown_result() throws Exception {
    CallResult result =
        callPeerWithLongTimeout(
            (self, socket) -> {
              self.readRequest(socket);
              self.send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
            });

    assertCode(result, CallResult.UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH_9.6\r\n",
        "HTTP/1.1 42 x\r\n\r\n",
        "HTTP/1.1 1000 x\r\n\r\n",
        "HTTP/1.1 abc x\r\n\r\n",
        "\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
      })
  void a_peer_that_does_not_speak_http_is_not_quoted(String raw) throws Exception {
    CallResult result =
        callPeerWithLongTimeout(
            (self, socket) -> {
              self.readRequest(socket);
              self.send(socket, raw);
            });

    assertCode(result, CallResult.UNKNOWN);
    assertThat(result.failure().orElseThrow().message()).doesNotContain("OpenSSH");
  }

  @Test
  void a_status_line_that_is_not_http_is_a_protocol_error() throws Exception {
    CallResult result =
        callPeerWithLongTimeout(
            (self, socket) -> {
              self.readRequest(socket);
              self.send(socket, "HTTP/1.1 abc x\r\n\r\n");
            });

    assertType(result, "java.net.ProtocolException");
  }

  @Test
  void a_name_look_up_that_never_ends_is_a_timeout() {
    NameResolver stuck =
        host -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          throw new UnknownHostException(host);
        };
    try (GuardedHttpSender slow =
        TestSenders.allowing(
            "127.0.0.0/8", stuck, TestSenders.options().withConnectTimeout(SHORT))) {
      assertCode(slow.send(TestSenders.get("http://stuck.test/")), CallResult.TIMEOUT);
    }
  }

  @Test
  void closing_the_sender_ends_the_calls_in_progress() throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.hanging()) {
      Thread closer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      peer.nextRequest();
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                    sender.close();
                  });
      assertCode(sender.send(TestSenders.get(peer.url())), CallResult.TIMEOUT);
      closer.join();
      assertCode(sender.send(TestSenders.get(peer.url())), CallResult.TIMEOUT);
    }
  }

  @Test
  void an_interrupt_ends_the_call_and_stays_set() throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.hanging()) {
      CallResult[] result = new CallResult[1];
      boolean[] interrupted = new boolean[1];
      Thread caller =
          Thread.ofVirtual()
              .start(
                  () -> {
                    result[0] = sender.send(TestSenders.get(peer.url()));
                    interrupted[0] = Thread.currentThread().isInterrupted();
                  });
      peer.nextRequest();
      caller.interrupt();
      caller.join();

      assertCode(result[0], CallResult.UNKNOWN);
      assertThat(interrupted[0]).isTrue();
    }
  }
}

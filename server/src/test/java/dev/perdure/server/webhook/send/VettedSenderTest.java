// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.server.webhook.guard.WebhookUrl;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class VettedSenderTest {

  private static final Duration SHORT = Duration.ofMillis(300);
  private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private final VettedSender sender = Senders.local();

  @AfterEach
  void close() {
    sender.close();
  }

  @Nested
  class WhatIsSent {

    @ParameterizedTest
    @EnumSource(Verb.class)
    void every_verb_arrives(Verb verb) throws Exception {
      try (Peer peer = Peer.answering(EMPTY)) {
        sender.send(
            new OutgoingCall(
                verb,
                WebhookUrl.parse(peer.url() + "a/b?c=d%20e"),
                Map.of(),
                null,
                Senders.LONG));

        assertThat(peer.nextRequest()).startsWith(verb.name() + " /a/b?c=d%20e HTTP/1.1\r\n");
      }
    }

    @Test
    void headers_and_body_arrive_and_nothing_is_added_but_the_frame() throws Exception {
      try (Peer peer = Peer.answering(EMPTY)) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("X-One", "1");
        headers.put("Authorization", "Bearer x");
        sender.send(
            new OutgoingCall(
                Verb.POST, WebhookUrl.parse(peer.url()), headers, "{\"é\":1}", Senders.LONG));

        assertThat(peer.nextRequest())
            .isEqualTo(
                """
                POST / HTTP/1.1\r
                Host: 127.0.0.1:%d\r
                X-One: 1\r
                Authorization: Bearer x\r
                Connection: close\r
                Content-Length: 8\r
                \r
                {"é":1}"""
                    .formatted(peer.port()));
      }
    }

    @Test
    void a_post_without_a_body_says_so() throws Exception {
      try (Peer peer = Peer.answering(EMPTY)) {
        sender.send(
            new OutgoingCall(
                Verb.POST, WebhookUrl.parse(peer.url()), Map.of(), null, Senders.LONG));

        assertThat(peer.nextRequest()).contains("Content-Length: 0\r\n");
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX-Injected: 1", "a\nb", "a\rb", "a\0b", "é", " a"})
    void no_header_can_begin_another(String value) {
      Map<String, String> headers = Map.of("X-A", value);
      WebhookUrl url = WebhookUrl.parse("http://127.0.0.1/");

      assertThatThrownBy(() -> new OutgoingCall(Verb.GET, url, headers, null, SHORT))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("header X-A must be printable ASCII on one line");
    }

    @Test
    void cookies_are_not_kept_between_calls() throws Exception {
      String answer = "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n";
      try (Peer peer = Peer.answering(answer)) {
        sender.send(Senders.get(peer.url()));
        peer.nextRequest();
        sender.send(Senders.get(peer.url()));

        assertThat(peer.nextRequest()).doesNotContainIgnoringCase("cookie");
      }
    }

    @Test
    void proxies_of_the_environment_are_not_used() throws Exception {
      try (Peer peer = Peer.answering(EMPTY);
          Peer proxy = Peer.hanging()) {
        System.setProperty("socksProxyHost", "127.0.0.1");
        System.setProperty("socksProxyPort", "" + proxy.port());
        System.setProperty("socksNonProxyHosts", "");
        try {
          assertThat(sender.send(Senders.get(peer.url()))).hasToString("answer 200");
        } finally {
          System.clearProperty("socksProxyHost");
          System.clearProperty("socksProxyPort");
          System.clearProperty("socksNonProxyHosts");
        }
        assertThat(proxy.accepted()).isZero();
      }
    }

    @Test
    void each_call_has_a_connection_of_its_own() throws Exception {
      try (Peer peer = Peer.answering(EMPTY)) {
        sender.send(Senders.get(peer.url()));
        sender.send(Senders.get(peer.url()));

        assertThat(peer.accepted()).isEqualTo(2);
      }
    }
  }

  @Nested
  class WhatIsAnswered {

    private CallResult.Answer answer(String raw) throws Exception {
      try (Peer peer = Peer.answering(raw)) {
        CallResult result = sender.send(Senders.get(peer.url()));
        assertThat(result).isInstanceOf(CallResult.Answer.class);
        return (CallResult.Answer) result;
      }
    }

    @Test
    void a_good_answer_is_no_failure() throws Exception {
      CallResult.Answer answer = answer("HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhällo");

      assertThat(answer.status()).isEqualTo(201);
      assertThat(answer.body()).isEqualTo("häll");
      assertThat(answer.cut()).isFalse();
      assertThat(answer.failure()).isEmpty();
    }

    @Test
    void a_chunked_answer_is_put_together() throws Exception {
      String raw =
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";

      assertThat(answer(raw).body()).isEqualTo("abcde");
    }

    @Test
    void an_answer_that_ends_with_the_connection_is_whole() throws Exception {
      assertThat(answer("HTTP/1.1 200 OK\r\n\r\nabc").body()).isEqualTo("abc");
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void an_answer_without_a_body_is_not_waited_for(int status) throws Exception {
      try (Peer peer =
          Peer.of(
              (self, socket) -> {
                self.request(socket);
                self.say(socket, "HTTP/1.1 " + status + " x\r\n\r\n");
                self.untilGone(socket);
              })) {
        assertThat(sender.send(Senders.get(peer.url()))).hasToString("answer " + status);
      }
    }

    @Test
    void interim_answers_are_passed_over() throws Exception {
      String raw = "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + EMPTY;

      assertThat(answer(raw).status()).isEqualTo(200);
    }

    @Test
    void a_failure_carries_the_status() throws Exception {
      Failure failure =
          answer("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n").failure().orElseThrow();

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
    void retry_after_is_read_in_both_forms(String headers, int seconds) throws Exception {
      String raw =
          "HTTP/1.1 429 Slow\r\nContent-Length: 0\r\n" + headers.replace("~", "\r\n") + "\r\n\r\n";

      assertThat(answer(raw).failure().orElseThrow().retryAfter())
          .isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void an_unreadable_retry_after_is_none() throws Exception {
      String raw = "HTTP/1.1 429 Slow\r\nContent-Length: 0\r\nRetry-After: soon\r\n\r\n";

      assertThat(answer(raw).retryAfter()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void redirects_are_not_followed(int status) throws Exception {
      try (Peer target = Peer.answering(EMPTY)) {
        CallResult.Answer answer =
            answer(
                "HTTP/1.1 %d Moved\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n"
                    .formatted(status, target.url()));

        assertThat(answer.failure().orElseThrow().status()).isEqualTo(status);
        assertThat(target.accepted()).isZero();
      }
    }

    @Test
    void exactly_what_may_be_read_is_whole() throws Exception {
      String body = "x".repeat(64 * 1024);
      CallResult.Answer answer =
          answer("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);

      assertThat(answer.body()).isEqualTo(body);
      assertThat(answer.cut()).isFalse();
    }

    @Test
    void one_byte_more_is_cut() throws Exception {
      String body = "x".repeat(64 * 1024 + 1);
      CallResult.Answer answer =
          answer("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);

      assertThat(answer.body()).hasSize(64 * 1024);
      assertThat(answer.cut()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 99999999999", "Transfer-Encoding: chunked", "X-A: b"})
    void an_endless_answer_is_cut_and_left(String framing) throws Exception {
      String chunk = framing.contains("chunked") ? "1000\r\n" : "";
      String end = framing.contains("chunked") ? "\r\n" : "";
      try (Peer peer =
          Peer.of(
              (self, socket) -> {
                self.request(socket);
                self.say(socket, "HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\n");
                while (true) {
                  self.say(socket, chunk + "x".repeat(0x1000) + end);
                }
              })) {
        CallResult result = sender.send(Senders.get(peer.url()));

        assertThat(result).isInstanceOf(CallResult.Answer.class);
        assertThat(((CallResult.Answer) result).body()).hasSize(64 * 1024);
        assertThat(((CallResult.Answer) result).cut()).isTrue();
      }
    }
  }

  @Nested
  class WhatGoesWrong {

    private CallResult played(Peer.Script script) throws Exception {
      try (Peer peer = Peer.of(script)) {
        return sender.send(Senders.post(peer.url(), "{}", SHORT));
      }
    }

    private void assertCode(CallResult result, String code, boolean maybeApplied) {
      Failure failure = result.failure().orElseThrow();
      assertThat(failure.kind()).isEqualTo(FailureKind.WEBHOOK_FAILURE);
      assertThat(failure.code()).isEqualTo(code);
      assertThat(failure.hasStatus()).isFalse();
      assertThat(result.maybeApplied()).isEqualTo(maybeApplied);
    }

    @Test
    void nobody_listens() throws Exception {
      int port;
      try (ServerSocket free = new ServerSocket(0)) {
        port = free.getLocalPort();
      }
      CallResult result = sender.send(Senders.get("http://127.0.0.1:" + port + "/"));

      assertCode(result, CallResult.UNSENT, false);
      assertThat(result.failure().orElseThrow().message())
          .contains("cannot connect to 127.0.0.1:" + port, "refused");
    }

    @Test
    void a_name_that_does_not_exist() {
      CallResult result = sender.send(Senders.get("http://nowhere.test/"));

      assertCode(result, CallResult.UNSENT, false);
      assertThat(result.failure().orElseThrow().message()).contains("nowhere.test cannot be found");
    }

    @Test
    void the_next_address_is_tried() throws Exception {
      try (Peer peer = Peer.answering(EMPTY);
          VettedSender named =
              Senders.allowing(
                  "127.0.0.0/8",
                  Senders.answering("127.0.0.9", "127.0.0.1"),
                  Senders.options())) {
        assertThat(named.send(Senders.get("http://two.test:" + peer.port() + "/")))
            .hasToString("answer 200");
      }
    }

    @Test
    void a_refused_address_says_how_to_open_it() {
      CallResult result = sender.send(Senders.get("http://10.0.0.1/"));

      assertCode(result, CallResult.REFUSED, false);
      assertThat(result.failure().orElseThrow().message())
          .contains("10.0.0.1 is not public but private", "WEBHOOK_ALLOW");
    }

    @Test
    void a_peer_that_never_answers() throws Exception {
      CallResult result =
          played(
              (self, socket) -> {
                self.request(socket);
                self.untilGone(socket);
              });

      assertCode(result, CallResult.TIMEOUT, true);
      assertThat(result.failure().orElseThrow().message()).contains("within 300ms");
    }

    @Test
    void a_peer_that_does_not_even_read() throws Exception {
      String large = "x".repeat(32 << 20);
      try (Peer peer = Peer.of((self, socket) -> self.pause(30_000))) {
        assertCode(
            sender.send(Senders.post(peer.url(), large, SHORT)), CallResult.TIMEOUT, true);
      }
    }

    @Test
    void a_body_that_drips() throws Exception {
      assertCode(played(dripping("HTTP/1.1 200 OK\r\n\r\n", "x")), CallResult.TIMEOUT, true);
    }

    @Test
    void a_head_that_drips() throws Exception {
      assertCode(played(dripping("HTTP/1.1 200 OK\r\n", "a: b\r\n")), CallResult.TIMEOUT, true);
    }

    @Test
    void a_failure_whose_body_drips_is_told_with_its_status() throws Exception {
      String head = "HTTP/1.1 503 Busy\r\nRetry-After: 9\r\n\r\n";
      Failure failure = played(dripping(head, "x")).failure().orElseThrow();

      assertThat(failure.status()).isEqualTo(503);
      assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(9));
    }

    private Peer.Script dripping(String first, String drop) {
      return (self, socket) -> {
        self.request(socket);
        self.say(socket, first);
        while (self.pause(20)) {
          self.say(socket, drop);
        }
      };
    }

    @Test
    void endless_headers() throws Exception {
      CallResult result =
          playedWithTime(
              (self, socket) -> {
                self.request(socket);
                self.say(socket, "HTTP/1.1 200 OK\r\n");
                while (true) {
                  self.say(socket, "a: b\r\n".repeat(100));
                }
              });

      assertCode(result, CallResult.UNKNOWN, true);
    }

    @Test
    void an_endless_line() throws Exception {
      CallResult result =
          playedWithTime(
              (self, socket) -> {
                self.request(socket);
                self.say(socket, "HTTP/1.1 200 OK\r\nx: ");
                while (true) {
                  self.say(socket, "x".repeat(1_000));
                }
              });

      assertCode(result, CallResult.UNKNOWN, true);
    }

    @Test
    void interim_answers_for_ever() throws Exception {
      CallResult result =
          playedWithTime(
              (self, socket) -> {
                self.request(socket);
                while (true) {
                  self.say(socket, "HTTP/1.1 102 Processing\r\n\r\n");
                }
              });

      assertCode(result, CallResult.UNKNOWN, true);
    }

    private CallResult playedWithTime(Peer.Script script) throws Exception {
      try (Peer peer = Peer.of(script)) {
        return sender.send(Senders.post(peer.url(), "{}", Senders.LONG));
      }
    }

    @Test
    void a_peer_that_hangs_up_on_the_request() throws Exception {
      assertCode(playedWithTime((self, socket) -> self.request(socket)), CallResult.UNKNOWN, true);
    }

    @Test
    void an_answer_shorter_than_it_says() throws Exception {
      CallResult result =
          playedWithTime(
              (self, socket) -> {
                self.request(socket);
                self.say(socket, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
              });

      assertCode(result, CallResult.UNKNOWN, true);
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
          playedWithTime(
              (self, socket) -> {
                self.request(socket);
                self.say(socket, raw);
              });

      assertCode(result, CallResult.UNKNOWN, true);
      assertThat(result.failure().orElseThrow().message()).doesNotContain("OpenSSH");
    }

    @Test
    void a_look_up_that_never_ends() throws Exception {
      try (Peer peer = Peer.answering(EMPTY)) {
        NameLookup stuck =
            host -> {
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              throw new UnknownHostException(host);
            };
        try (VettedSender slow =
            Senders.allowing(
                "127.0.0.0/8", stuck, Senders.options().withConnectTimeout(SHORT))) {
          assertCode(
              slow.send(Senders.get("http://stuck.test/")), CallResult.TIMEOUT, false);
        }
      }
    }

    @Test
    void closing_the_sender_ends_what_is_under_way() throws Exception {
      try (Peer peer = Peer.hanging()) {
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
        assertCode(sender.send(Senders.get(peer.url())), CallResult.TIMEOUT, true);
        closer.join();
        assertCode(sender.send(Senders.get(peer.url())), CallResult.TIMEOUT, false);
      }
    }

    @Test
    void an_interrupt_ends_the_call_and_stays_set() throws Exception {
      try (Peer peer = Peer.hanging()) {
        CallResult[] result = new CallResult[1];
        boolean[] interrupted = new boolean[1];
        Thread caller =
            Thread.ofVirtual()
                .start(
                    () -> {
                      result[0] = sender.send(Senders.get(peer.url()));
                      interrupted[0] = Thread.currentThread().isInterrupted();
                    });
        peer.nextRequest();
        caller.interrupt();
        caller.join();

        assertCode(result[0], CallResult.UNKNOWN, true);
        assertThat(interrupted[0]).isTrue();
      }
    }
  }
}

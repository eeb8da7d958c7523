// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.server.webhook.guard.WebhookUrl;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests that are sent. */
@Timeout(60)
@Isolated
class SentWebhookTest {

  private static final Duration SHORT = Duration.ofMillis(300);
  private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private final GuardedHttpSender sender = TestSenders.local();

  @AfterEach
  void close() {
    sender.close();
  }

  @ParameterizedTest
  @EnumSource(HttpMethod.class)
  void every_verb_is_sent(HttpMethod httpMethod) throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.respondingWith(EMPTY)) {
      sender.send(
          new WebhookRequest(
              httpMethod,
              WebhookUrl.parse(peer.url() + "a/b?c=d%20e"),
              Map.of(),
              null,
              TestSenders.LONG));

      assertThat(peer.nextRequest()).startsWith(httpMethod.name() + " /a/b?c=d%20e HTTP/1.1\r\n");
    }
  }

  @Test
  void only_framing_headers_are_added() throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.respondingWith(EMPTY)) {
      Map<String, String> headers = new LinkedHashMap<>();
      headers.put("X-One", "1");
      headers.put("Authorization", "Bearer x");
      sender.send(
          new WebhookRequest(
              HttpMethod.POST,
              WebhookUrl.parse(peer.url()),
              headers,
              "{\"é\":1}",
              TestSenders.LONG));

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
              {"é":1}\
              """
                  .formatted(peer.port()));
    }
  }

  @Test
  void a_post_without_a_body_has_content_length_0() throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.respondingWith(EMPTY)) {
      sender.send(
          new WebhookRequest(
              HttpMethod.POST, WebhookUrl.parse(peer.url()), Map.of(), null, TestSenders.LONG));

      assertThat(peer.nextRequest()).contains("Content-Length: 0\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nX-Injected: 1", "a\nb", "a\rb", "a\0b", "é", " a"})
  void a_header_value_cannot_inject_another_header(String value) {
    Map<String, String> headers = Map.of("X-A", value);
    WebhookUrl url = WebhookUrl.parse("http://127.0.0.1/");

    assertThatThrownBy(() -> new WebhookRequest(HttpMethod.GET, url, headers, null, SHORT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("header X-A must be printable ASCII on one line");
  }

  @Test
  void cookies_are_not_stored() throws Exception {
    String response = "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n";
    try (ScriptedPeer peer = ScriptedPeer.respondingWith(response)) {
      sender.send(TestSenders.get(peer.url()));
      peer.nextRequest();
      sender.send(TestSenders.get(peer.url()));

      assertThat(peer.nextRequest()).doesNotContainIgnoringCase("cookie");
    }
  }

  @Test
  void system_proxies_are_ignored() throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.respondingWith(EMPTY);
        ScriptedPeer proxy = ScriptedPeer.hanging()) {
      System.setProperty("socksProxyHost", "127.0.0.1");
      System.setProperty("socksProxyPort", "" + proxy.port());
      System.setProperty("socksNonProxyHosts", "");
      try {
        assertThat(sender.send(TestSenders.get(peer.url()))).hasToString("response 200");
      } finally {
        System.clearProperty("socksProxyHost");
        System.clearProperty("socksProxyPort");
        System.clearProperty("socksNonProxyHosts");
      }
      assertThat(proxy.accepted()).isZero();
    }
  }

  @Test
  void each_call_opens_its_own_connection() throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.respondingWith(EMPTY)) {
      sender.send(TestSenders.get(peer.url()));
      sender.send(TestSenders.get(peer.url()));

      assertThat(peer.accepted()).isEqualTo(2);
    }
  }
}

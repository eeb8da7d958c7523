// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TlsCallTest {

  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private static SSLContext tls;
  private static ScriptedPeer peer;

  @BeforeAll
  static void listen(@TempDir Path folder) throws Exception {
    tls = TestTls.context(folder, "dns:good.test,ip:127.0.0.1");
    peer =
        ScriptedPeer.on(
            tls.getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress()),
            (self, socket) -> {
              self.readRequest(socket);
              self.send(socket, OK);
            });
  }

  @AfterAll
  static void close() {
    peer.close();
  }

  private static CallResult call(String host, SenderOptions options) {
    try (GuardedHttpSender sender =
        TestSenders.allowing("127.0.0.1", TestSenders.resolvingTo("127.0.0.1"), options)) {
      return sender.send(TestSenders.get("https://" + host + ":" + peer.port() + "/"));
    }
  }

  private static SenderOptions trusting() {
    return TestSenders.options().withTls(tls.getSocketFactory());
  }

  @Test
  void the_certificate_is_checked_against_the_name_not_the_address() throws Exception {
    assertThat(call("good.test", trusting())).hasToString("response 200");
    assertThat(peer.nextRequest()).contains("Host: good.test:" + peer.port() + "\r\n");
  }

  @Test
  void a_certificate_for_an_address_is_accepted() throws Exception {
    assertThat(call("127.0.0.1", trusting())).hasToString("response 200");
    peer.nextRequest();
  }

  @Test
  void a_certificate_for_another_name_is_rejected_before_anything_is_sent() {
    CallResult result = call("other.test", trusting());

    assertThat(result).isInstanceOf(CallResult.Unsent.class);
    assertThat(((CallResult.Unsent) result).reason()).contains("other.test");
  }

  @Test
  void an_untrusted_certificate_is_rejected_before_anything_is_sent() {
    CallResult result = call("good.test", TestSenders.options());

    assertThat(result).isInstanceOf(CallResult.Unsent.class);
  }

  @Test
  void a_peer_without_tls_gets_no_request() throws IOException {
    try (ScriptedPeer plain = ScriptedPeer.respondingWith(OK);
        GuardedHttpSender sender =
            TestSenders.allowing("127.0.0.1", TestSenders.NO_NAMES, trusting())) {
      String url = "https://127.0.0.1:" + plain.port() + "/";

      // The peer waits for the end of a request, but receives a TLS handshake.
      assertThat(sender.send(TestSenders.get(url, Duration.ofMillis(300))))
          .isEqualTo(new CallResult.TimedOut("no complete response within 300ms"));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perdure.server.webhook.guard.WebhookUrl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fault: webhooks reach internal addresses by unusual spellings, by host names, and by names that
 * change. The test really sends every URL, and a server on every address of this machine must never
 * be reached.
 */
@Timeout(60)
class Fault11InternalAddressReachedTest {

  private static final String PORT = "{p}";

  /** Names that resolve to internal addresses. */
  private static final Map<String, List<String>> NAMES =
      Map.ofEntries(
          Map.entry("localhost", List.of("127.0.0.1", "::1")),
          Map.entry("loopback.test", List.of("127.0.0.1")),
          Map.entry("loopback6.test", List.of("::1")),
          Map.entry("any.test", List.of("0.0.0.0")),
          Map.entry("any6.test", List.of("::")),
          Map.entry("ten.test", List.of("10.0.0.1")),
          Map.entry("metadata.google.internal", List.of("169.254.169.254")),
          Map.entry("metadata6.test", List.of("fd00:ec2::254")),
          Map.entry("nat64.test", List.of("64:ff9b::7f00:1")),
          Map.entry("sixtofour.test", List.of("2002:7f00:1::")),
          Map.entry("last-is-inside.test", List.of("8.8.8.8", "1.1.1.1", "127.0.0.1")),
          Map.entry("last6-is-inside.test", List.of("8.8.8.8", "fd00::1")),
          Map.entry("xn--e1afmkfd.test", List.of("192.168.1.1")));

  private ScriptedPeer trap;

  @BeforeEach
  void openTrap() throws IOException {
    trap =
        ScriptedPeer.on(
            new ServerSocket(0),
            (peer, socket) -> {
              peer.readRequest(socket);
              peer.send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            });
  }

  @AfterEach
  void close() {
    trap.close();
  }

  static List<String> hostileUrls() {
    return HostileUrls.ALL;
  }

  @Test
  void the_table_has_at_least_sixty_urls() {
    assertThat(HostileUrls.ALL).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(60);
  }

  @ParameterizedTest
  @MethodSource("hostileUrls")
  void refuses_every_hostile_url(String hostile) {
    try (GuardedHttpSender sender =
        TestSenders.allowing("", this::resolve, TestSenders.options())) {
      assertThat(outcome(sender, hostile.replace(PORT, "" + trap.port()))).isEqualTo("refused");
    }
    assertThat(trap.accepted()).isZero();
  }

  /**
   * Proves that the trap works: the same kind of URL reaches it when the guard allows everything.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:{p}/",
        "http://[::1]:{p}/",
        "http://localhost:{p}/",
        "http://loopback6.test:{p}/",
        "http://0.0.0.0:{p}/"
      })
  void the_trap_is_reached_without_the_guard(String url) {
    assumeV6For(url, "response 200");
    try (GuardedHttpSender sender =
        TestSenders.allowing("0.0.0.0/0, ::/0", this::resolve, TestSenders.options())) {
      assertThat(outcome(sender, url.replace(PORT, "" + trap.port()))).isEqualTo("response 200");
    }
    assertThat(trap.accepted()).isOne();
  }

  /** Uses the system's resolver, which accepts unusual spellings. */
  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST", "localhost.", "127.1", "2130706433", "0x7f.1"})
  void refuses_with_the_system_resolver(String host) {
    try (GuardedHttpSender sender =
        TestSenders.allowing("", NameResolver.system(), TestSenders.options())) {
      assertThat(outcome(sender, "http://" + host + ":" + trap.port() + "/")).isEqualTo("refused");
    }
    assertThat(trap.accepted()).isZero();
  }

  /** 127.0.0.2 plays the public internet: it is the only allowed address. */
  @Test
  void a_rebinding_name_is_looked_up_once_per_call_and_then_refused() throws Exception {
    Deque<String> addresses = new ArrayDeque<>(List.of("127.0.0.2", "127.0.0.1"));
    AtomicInteger lookups = new AtomicInteger();
    NameResolver changing =
        host -> {
          lookups.incrementAndGet();
          return List.of(InetAddress.getAllByName(addresses.removeFirst()));
        };
    // The port must be free on all addresses, or another process may listen on one of them.
    int port = ScriptedPeer.freePort();
    try (ScriptedPeer outside =
            ScriptedPeer.at(
                "127.0.0.2",
                port,
                (peer, socket) -> {
                  peer.readRequest(socket);
                  peer.send(socket, "HTTP/1.1 204 No Content\r\n\r\n");
                });
        ScriptedPeer inside = ScriptedPeer.at("127.0.0.1", port, (peer, socket) -> {});
        GuardedHttpSender sender =
            TestSenders.allowing("127.0.0.2", changing, TestSenders.options())) {
      String url = "http://rebinding.test:" + outside.port() + "/";

      assertThat(outcome(sender, url)).isEqualTo("response 204");
      assertThat(lookups).hasValue(1);
      assertThat(outside.nextRequest()).contains("Host: rebinding.test:" + outside.port());

      assertThat(outcome(sender, url)).isEqualTo("refused");
      assertThat(lookups).hasValue(2);
      assertThat(outside.accepted()).isOne();
      assertThat(inside.accepted()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1,       http://127.0.0.1:{p}/,       response 200",
    "127.0.0.1,       http://loopback.test:{p}/,   response 200",
    "127.0.0.1,       http://127.0.0.2:{p}/,       refused",
    "127.0.0.1,       http://[::1]:{p}/,           refused",
    "127.0.0.1,       http://localhost:{p}/,       refused",
    "127.0.0.1,       http://[::ffff:127.0.0.1]:{p}/, refused",
    "127.0.0.2/31,    http://127.0.0.3:{p}/,       response 200",
    "127.0.0.2/31,    http://127.0.0.4:{p}/,       refused",
    "::1,             http://[::1]:{p}/,           response 200",
    "::1,             http://127.0.0.1:{p}/,       refused",
    "localhost,       http://localhost:{p}/,       response 200",
    "localhost,       http://LocalHost:{p}/,       response 200",
    "localhost,       http://127.0.0.1:{p}/,       refused",
    "localhost,       http://loopback.test:{p}/,   refused",
    "localhost,       http://localhost.:{p}/,      refused",
    "test,            http://loopback.test:{p}/,   refused",
    "metadata.google.internal, http://metadata.google.internal:{p}/, refused",
    "10.0.0.0/8,      http://127.0.0.1:{p}/,       refused"
  })
  void the_allow_list_allows_exactly_its_entries(String allowed, String url, String outcome) {
    assumeV6For(url, outcome);
    try (GuardedHttpSender sender =
        TestSenders.allowing(allowed, this::resolve, TestSenders.options())) {
      assertThat(outcome(sender, url.replace(PORT, "" + trap.port()))).isEqualTo(outcome);
    }
    assertThat(trap.accepted()).isEqualTo(outcome.equals("refused") ? 0 : 1);
  }

  /** Only calls that must arrive need IPv6; refused ones never connect. */
  private static void assumeV6For(String url, String outcome) {
    boolean needed =
        outcome.equals("response 200") && (url.contains("::1") || url.contains("6.test"));
    assumeTrue(!needed || hasV6(), "NO ::1: calls over IPv6 are NOT TESTED");
  }

  private static boolean hasV6() {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getAllByName("::1")[0])) {
      return probe.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private List<InetAddress> resolve(String host) throws UnknownHostException {
    List<String> addresses = NAMES.get(host);
    if (addresses == null) {
      throw new UnknownHostException(host);
    }
    return TestSenders.resolvingTo(addresses.toArray(String[]::new)).resolve(host);
  }

  /** An unreadable URL counts as refused: it is rejected when the task is submitted. */
  private static String outcome(GuardedHttpSender sender, String url) {
    WebhookUrl parsed;
    try {
      parsed = WebhookUrl.parse(url);
    } catch (IllegalArgumentException e) {
      return "refused";
    }
    CallResult result =
        sender.send(new WebhookRequest(HttpMethod.GET, parsed, Map.of(), null, TestSenders.LONG));
    return result instanceof CallResult.Refusal ? "refused" : result.toString();
  }
}

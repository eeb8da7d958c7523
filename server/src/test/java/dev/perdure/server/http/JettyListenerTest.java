// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import static dev.perdure.server.http.TestListener.HOST;
import static dev.perdure.server.http.TestListener.JSON;
import static dev.perdure.server.http.TestListener.limits;
import static dev.perdure.server.http.TestListener.withIdleTimeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.server.Eventually;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.http.jetty.JettyListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Tag("slow")
@Isolated
class JettyListenerTest {

  private static void assertProblem(RawResponse rawResponse, int status) {
    assertThat(rawResponse.status()).isEqualTo(status);
    assertThat(rawResponse.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(rawResponse.json().get("status").intValue()).isEqualTo(status);
    assertThat(rawResponse.body()).doesNotContain("jetty", "Exception");
  }

  @Nested
  class WhatIsTooLarge {

    private final TestListener site = new TestListener(limits(1_000, 100, 100));

    @Test
    void a_body_that_says_so_is_refused_before_it_is_read() throws IOException {
      try (site;
          RawHttpClient rawHttpClient = RawHttpClient.to(site.port())) {
        rawHttpClient.send(
            "POST /length HTTP/1.1\r\n"
                + HOST
                + "Content-Type: application/json\r\nContent-Length: 1001\r\n\r\n");
        assertProblem(rawHttpClient.readResponse(), 413);
      }
    }

    @Test
    void a_body_that_does_not_say_so_is_refused_when_it_is() throws IOException {
      try (site;
          RawHttpClient rawHttpClient = RawHttpClient.to(site.port())) {
        rawHttpClient.send(
            "POST /length HTTP/1.1\r\n"
                + HOST
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3e9\r\n"
                + "x".repeat(1_001)
                + "\r\n");
        assertProblem(rawHttpClient.readResponse(), 413);
      }
    }

    @Test
    void a_body_that_just_fits_is_taken() throws IOException {
      try (site) {
        assertThat(RawHttpClient.post(site.port(), "/length", "x".repeat(1_000)).body())
            .isEqualTo("1000");
      }
    }

    @Test
    void an_address_or_headers_are_refused() throws IOException {
      try (site) {
        int port = site.port();
        assertProblem(RawHttpClient.ask(port, "GET", "/fine?" + "x".repeat(9_000)), 414);
        assertProblem(RawHttpClient.ask(port, "GET", "/fine", "X-A: " + "x".repeat(5_000)), 431);
      }
      try (TestListener wide = new TestListener()) {
        assertProblem(RawHttpClient.ask(wide.port(), "GET", "/fine?" + "x".repeat(9_000)), 414);
      }
    }
  }

  @Test
  void who_asks_whether_it_lives_is_answered_however_busy_it_is() throws Exception {
    try (TestListener site = new TestListener(limits(1_000, 100, 1));
        RawHttpClient rawHttpClient = RawHttpClient.to(site.port())) {
      rawHttpClient.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      site.awaitWaiting(1);

      assertThat(RawHttpClient.ask(site.port(), "GET", "/fine").status()).isEqualTo(503);
      assertThat(RawHttpClient.ask(site.port(), "GET", "/health").body()).isEqualTo("up");
      assertThat(RawHttpClient.ask(site.port(), "GET", "/ready").body()).isEqualTo("ready");
      assertThat(RawHttpClient.ask(site.port(), "GET", "/fine").status()).isEqualTo(503);
    }
  }

  @Test
  void more_bytes_of_bodies_than_there_is_memory_for_are_told_to_come_again() throws Exception {
    try (TestListener site = new TestListener(limits(1_000, 100, 100));
        RawHttpClient first = RawHttpClient.to(site.port());
        RawHttpClient chunked = RawHttpClient.to(site.port())) {
      first.send("POST /hold HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 900\r\n\r\n");
      first.send("x".repeat(900));
      chunked.send("POST /hold HTTP/1.1\r\n" + HOST + JSON + "Transfer-Encoding: chunked\r\n\r\n");
      chunked.send("2\r\n{}\r\n0\r\n\r\n");
      site.awaitWaiting(2);
      // Of 4,000 bytes they hold 902.
      RawHttpClient second = held(site, 1_000);
      RawHttpClient third = held(site, 1_000);

      assertThat(RawHttpClient.post(site.port(), "/length", "x".repeat(1_000)).body())
          .isEqualTo("1000");
      RawHttpClient fourth = held(site, 1_000);
      RawResponse refused = RawHttpClient.post(site.port(), "/length", "x".repeat(200));
      assertProblem(refused, 503);
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      assertProblem(chunked(site, 200), 503);
      assertThat(RawHttpClient.post(site.port(), "/length", "x".repeat(90)).body()).isEqualTo("90");
      assertThat(chunked(site, 90).body()).isEqualTo("90");

      site.release.countDown();
      assertThat(first.readResponse().body()).isEqualTo("held");
      assertThat(chunked.readResponse().body()).isEqualTo("held");
      for (RawHttpClient rawHttpClient : List.of(second, third, fourth)) {
        assertThat(rawHttpClient.readResponse().body()).isEqualTo("held");
        rawHttpClient.close();
      }
      assertThat(RawHttpClient.post(site.port(), "/length", "x".repeat(1_000)).body())
          .isEqualTo("1000");
    }
  }

  private static RawResponse chunked(TestListener site, int bytes) throws IOException {
    try (RawHttpClient rawHttpClient = RawHttpClient.to(site.port())) {
      rawHttpClient.send(
          "POST /length HTTP/1.1\r\n" + HOST + JSON + "Transfer-Encoding: chunked\r\n\r\n");
      rawHttpClient.send(Integer.toHexString(bytes) + "\r\n" + "x".repeat(bytes) + "\r\n0\r\n\r\n");
      return rawHttpClient.readResponse();
    }
  }

  @Test
  void bodies_that_drip_in_hold_no_more_than_has_come() throws Exception {
    try (TestListener site = new TestListener(limits(1_000, 100, 100))) {
      List<RawHttpClient> dripping = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        RawHttpClient rawHttpClient = RawHttpClient.to(site.port());
        rawHttpClient.send("POST /slowly HTTP/1.1\r\n" + HOST + JSON);
        rawHttpClient.send("Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n");
        dripping.add(rawHttpClient);
      }
      site.awaitWaiting(8);

      assertThat(RawHttpClient.post(site.port(), "/length", "x".repeat(1_000)).body())
          .isEqualTo("1000");
      assertThat(chunked(site, 1_000).body()).isEqualTo("1000");
      for (RawHttpClient rawHttpClient : dripping) {
        assertThat(rawHttpClient.send("3\r\n{ }\r\n0\r\n\r\n").readResponse().body())
            .isEqualTo("5");
        rawHttpClient.close();
      }
    }
  }

  private static RawHttpClient held(TestListener site, int bytes) throws Exception {
    RawHttpClient rawHttpClient = RawHttpClient.to(site.port());
    rawHttpClient.send(
        "POST /hold HTTP/1.1\r\n" + HOST + JSON + "Content-Length: " + bytes + "\r\n\r\n");
    rawHttpClient.send("x".repeat(bytes));
    site.awaitWaiting(1);
    return rawHttpClient;
  }

  @Test
  void more_requests_than_allowed_are_told_to_come_again() throws Exception {
    try (TestListener site = new TestListener(limits(1_000, 100, 2));
        RawHttpClient first = RawHttpClient.to(site.port());
        RawHttpClient second = RawHttpClient.to(site.port())) {
      first.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      second.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      site.awaitWaiting(2);

      RawResponse refused = RawHttpClient.ask(site.port(), "GET", "/fine");
      assertProblem(refused, 503);
      assertThat(refused.header("Retry-After")).isEqualTo("1");

      site.release.countDown();
      assertThat(first.readResponse().status()).isEqualTo(200);
      assertThat(second.readResponse().status()).isEqualTo(200);
      assertThat(RawHttpClient.ask(site.port(), "GET", "/fine").status()).isEqualTo(200);
    }
  }

  @Test
  void a_connection_too_many_waits_for_a_place() throws Exception {
    try (TestListener site = new TestListener(limits(1_000, 1, 100));
        RawHttpClient first = RawHttpClient.to(site.port());
        RawHttpClient second = RawHttpClient.to(site.port())) {
      assertThat(first.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").readResponse().status())
          .isEqualTo(200);
      second.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n");
      CompletableFuture<RawResponse> answered =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return second.readResponse();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      assertThat(first.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").readResponse().status())
          .isEqualTo(200);
      assertThat(answered).isNotDone();
      first.disconnect();

      assertThat(answered.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
    }
  }

  @Test
  void what_is_under_way_ends_before_the_listener_stops() throws Exception {
    TestListener site = new TestListener();
    int port = site.port();
    try (RawHttpClient rawHttpClient = RawHttpClient.to(port)) {
      rawHttpClient.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      site.awaitWaiting(1);
      CompletableFuture<Void> stopping =
          CompletableFuture.runAsync(() -> site.listener.stop(Duration.ofSeconds(20)));
      awaitRefusal(port);
      assertThat(stopping).isNotDone();
      site.release.countDown();

      assertThat(rawHttpClient.readResponse().body()).isEqualTo("waited");
      stopping.get(20, TimeUnit.SECONDS);
    }
    assertThatThrownBy(() -> RawHttpClient.to(port)).isInstanceOf(IOException.class);
  }

  private static boolean isRefused(int port) {
    try {
      RawHttpClient.to(port).close();
      return false;
    } catch (IOException refused) {
      return true;
    }
  }

  private static void awaitRefusal(int port) throws Exception {
    Eventually.await(() -> isRefused(port), refused -> refused);
  }

  @Test
  void what_takes_too_long_is_cut_off_and_told_in_one_line() throws Exception {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try (TestListener site = new TestListener();
        RawHttpClient rawHttpClient = RawHttpClient.to(site.port())) {
      rawHttpClient.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      site.awaitWaiting(1);

      assertThat(site.listener.stop(Duration.ofMillis(100))).isFalse();
      assertThat(rawHttpClient.readToEnd()).isEmpty();
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("1 request was cut off after 0.1 s")
        .doesNotContain("\tat ");
  }

  @Test
  void a_connection_on_which_nothing_is_asked_is_no_request_that_was_cut_off() throws Exception {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try (TestListener site = new TestListener(withIdleTimeout(Duration.ofHours(1)));
        RawHttpClient rawHttpClient = RawHttpClient.to(site.port())) {
      assertThat(
              rawHttpClient.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").readResponse().status())
          .isEqualTo(200);

      assertThat(site.listener.stop(Duration.ofMillis(100))).isTrue();
      assertThat(rawHttpClient.readToEnd()).isEmpty();
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("cut off");
  }

  @Test
  void who_still_asks_while_it_stops_is_told_to_come_again() throws Exception {
    TestListener site = new TestListener(withIdleTimeout(Duration.ofHours(1)));
    int port = site.port();
    CompletableFuture<Void> stopping;
    try (RawHttpClient busy = RawHttpClient.to(port);
        RawHttpClient late = RawHttpClient.to(port)) {
      busy.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      site.awaitWaiting(1);
      late.send("GET /fine HTTP/1.1\r\nHo");
      site.awaitSweep();
      stopping = CompletableFuture.runAsync(() -> site.listener.stop(Duration.ofMinutes(5)));
      awaitRefusal(port);

      RawResponse refused = late.send("st: localhost\r\n\r\n").readResponse();

      assertProblem(refused, 503);
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      site.release.countDown();
      assertThat(busy.readResponse().body()).isEqualTo("waited");
    }
    stopping.get(20, TimeUnit.SECONDS);
  }

  @Test
  void a_fault_of_ours_is_not_said_to_be_the_clients() throws Exception {
    JettyListener broken =
        JettyListener.start(
            "127.0.0.1",
            0,
            HttpLimits.DEFAULT,
            () -> Duration.ZERO,
            request -> {
              throw new IllegalStateException("the secret of the house");
            });
    RawResponse rawResponse = RawHttpClient.ask(broken.port(), "GET", "/fine");
    broken.stop(Duration.ofSeconds(5));

    assertProblem(rawResponse, 500);
    assertThat(rawResponse.body()).contains("fault of perdure").doesNotContain("secret");
  }

  @Test
  void says_that_an_address_is_taken() {
    try (TestListener site = new TestListener()) {
      assertThatThrownBy(
              () ->
                  JettyListener.start(
                      "127.0.0.1",
                      site.port(),
                      HttpLimits.DEFAULT,
                      () -> Duration.ZERO,
                      request -> Response.text(200, "text/plain", "")))
          .isInstanceOf(CannotListenException.class)
          .hasMessage("127.0.0.1:" + site.port() + " is taken: another program listens there");
    }
  }

  @Test
  void an_answer_may_take_longer_than_a_connection_may_be_silent() throws Exception {
    try (TestListener site = new TestListener(withIdleTimeout(Duration.ofSeconds(5)));
        RawHttpClient rawHttpClient = RawHttpClient.to(site.port())) {
      rawHttpClient.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      site.awaitWaiting(1);
      try (RawHttpClient idle = RawHttpClient.to(site.port())) {
        assertThat(idle.readToEnd()).as("who came later was silent for too long").isEmpty();
      }
      site.release.countDown();
      assertThat(rawHttpClient.readResponse().body()).isEqualTo("waited");
    }
  }
}

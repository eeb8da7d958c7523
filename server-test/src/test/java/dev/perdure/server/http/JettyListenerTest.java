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

  private static void assertProblem(RawResponse response, int status) {
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(response.json().get("status").intValue()).isEqualTo(status);
    assertThat(response.body()).doesNotContain("jetty", "Exception");
  }

  @Nested
  class SizeLimits {

    private final TestListener server = new TestListener(limits(1_000, 100, 100));

    @Test
    void a_body_with_too_large_a_content_length_is_refused_before_it_is_read() throws IOException {
      try (server;
          RawHttpClient http = RawHttpClient.to(server.port())) {
        http.send(
            "POST /length HTTP/1.1\r\n"
                + HOST
                + "Content-Type: application/json\r\nContent-Length: 1001\r\n\r\n");
        assertProblem(http.readResponse(), 413);
      }
    }

    @Test
    void a_chunked_body_is_refused_when_it_exceeds_the_limit() throws IOException {
      try (server;
          RawHttpClient http = RawHttpClient.to(server.port())) {
        http.send(
            "POST /length HTTP/1.1\r\n"
                + HOST
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3e9\r\n"
                + "x".repeat(1_001)
                + "\r\n");
        assertProblem(http.readResponse(), 413);
      }
    }

    @Test
    void a_body_of_exactly_the_limit_is_accepted() throws IOException {
      try (server) {
        assertThat(RawHttpClient.post(server.port(), "/length", "x".repeat(1_000)).body())
            .isEqualTo("1000");
      }
    }

    @Test
    void a_url_or_headers_that_are_too_long_are_refused() throws IOException {
      try (server) {
        int port = server.port();
        assertProblem(RawHttpClient.request(port, "GET", "/fine?" + "x".repeat(9_000)), 414);
        assertProblem(
            RawHttpClient.request(port, "GET", "/fine", "X-A: " + "x".repeat(5_000)), 431);
      }
      try (TestListener wide = new TestListener()) {
        assertProblem(RawHttpClient.request(wide.port(), "GET", "/fine?" + "x".repeat(9_000)), 414);
      }
    }
  }

  @Test
  void health_and_readiness_respond_at_the_request_limit() throws Exception {
    try (TestListener server = new TestListener(limits(1_000, 100, 1));
        RawHttpClient http = RawHttpClient.to(server.port())) {
      http.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      server.awaitWaiting(1);

      assertThat(RawHttpClient.request(server.port(), "GET", "/fine").status()).isEqualTo(503);
      assertThat(RawHttpClient.request(server.port(), "GET", "/health").body()).isEqualTo("up");
      assertThat(RawHttpClient.request(server.port(), "GET", "/ready").body()).isEqualTo("ready");
      assertThat(RawHttpClient.request(server.port(), "GET", "/fine").status()).isEqualTo(503);
    }
  }

  @Test
  void bodies_beyond_the_memory_limit_get_a_503() throws Exception {
    try (TestListener server = new TestListener(limits(1_000, 100, 100));
        RawHttpClient first = RawHttpClient.to(server.port());
        RawHttpClient chunked = RawHttpClient.to(server.port())) {
      first.send("POST /hold HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 900\r\n\r\n");
      first.send("x".repeat(900));
      chunked.send("POST /hold HTTP/1.1\r\n" + HOST + JSON + "Transfer-Encoding: chunked\r\n\r\n");
      chunked.send("2\r\n{}\r\n0\r\n\r\n");
      server.awaitWaiting(2);
      // The two bodies hold 902 of the 4,000 bytes.
      RawHttpClient second = held(server, 1_000);
      RawHttpClient third = held(server, 1_000);

      assertThat(RawHttpClient.post(server.port(), "/length", "x".repeat(1_000)).body())
          .isEqualTo("1000");
      RawHttpClient fourth = held(server, 1_000);
      RawResponse refused = RawHttpClient.post(server.port(), "/length", "x".repeat(200));
      assertProblem(refused, 503);
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      assertProblem(chunked(server, 200), 503);
      assertThat(RawHttpClient.post(server.port(), "/length", "x".repeat(90)).body())
          .isEqualTo("90");
      assertThat(chunked(server, 90).body()).isEqualTo("90");

      server.release.countDown();
      assertThat(first.readResponse().body()).isEqualTo("held");
      assertThat(chunked.readResponse().body()).isEqualTo("held");
      for (RawHttpClient http : List.of(second, third, fourth)) {
        assertThat(http.readResponse().body()).isEqualTo("held");
        http.close();
      }
      assertThat(RawHttpClient.post(server.port(), "/length", "x".repeat(1_000)).body())
          .isEqualTo("1000");
    }
  }

  private static RawResponse chunked(TestListener server, int bytes) throws IOException {
    try (RawHttpClient http = RawHttpClient.to(server.port())) {
      http.send("POST /length HTTP/1.1\r\n" + HOST + JSON + "Transfer-Encoding: chunked\r\n\r\n");
      http.send(Integer.toHexString(bytes) + "\r\n" + "x".repeat(bytes) + "\r\n0\r\n\r\n");
      return http.readResponse();
    }
  }

  @Test
  void slow_bodies_reserve_only_the_bytes_that_have_arrived() throws Exception {
    try (TestListener server = new TestListener(limits(1_000, 100, 100))) {
      List<RawHttpClient> slow = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        RawHttpClient http = RawHttpClient.to(server.port());
        http.send("POST /slowly HTTP/1.1\r\n" + HOST + JSON);
        http.send("Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n");
        slow.add(http);
      }
      server.awaitWaiting(8);

      assertThat(RawHttpClient.post(server.port(), "/length", "x".repeat(1_000)).body())
          .isEqualTo("1000");
      assertThat(chunked(server, 1_000).body()).isEqualTo("1000");
      for (RawHttpClient http : slow) {
        assertThat(http.send("3\r\n{ }\r\n0\r\n\r\n").readResponse().body()).isEqualTo("5");
        http.close();
      }
    }
  }

  private static RawHttpClient held(TestListener server, int bytes) throws Exception {
    RawHttpClient http = RawHttpClient.to(server.port());
    http.send("POST /hold HTTP/1.1\r\n" + HOST + JSON + "Content-Length: " + bytes + "\r\n\r\n");
    http.send("x".repeat(bytes));
    server.awaitWaiting(1);
    return http;
  }

  @Test
  void requests_beyond_the_limit_get_a_503() throws Exception {
    try (TestListener server = new TestListener(limits(1_000, 100, 2));
        RawHttpClient first = RawHttpClient.to(server.port());
        RawHttpClient second = RawHttpClient.to(server.port())) {
      first.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      second.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      server.awaitWaiting(2);

      RawResponse refused = RawHttpClient.request(server.port(), "GET", "/fine");
      assertProblem(refused, 503);
      assertThat(refused.header("Retry-After")).isEqualTo("1");

      server.release.countDown();
      assertThat(first.readResponse().status()).isEqualTo(200);
      assertThat(second.readResponse().status()).isEqualTo(200);
      assertThat(RawHttpClient.request(server.port(), "GET", "/fine").status()).isEqualTo(200);
    }
  }

  @Test
  void a_connection_beyond_the_limit_waits_until_another_closes() throws Exception {
    try (TestListener server = new TestListener(limits(1_000, 1, 100));
        RawHttpClient first = RawHttpClient.to(server.port());
        RawHttpClient second = RawHttpClient.to(server.port())) {
      assertThat(first.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").readResponse().status())
          .isEqualTo(200);
      second.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n");
      CompletableFuture<RawResponse> response =
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
      assertThat(response).isNotDone();
      first.disconnect();

      assertThat(response.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
    }
  }

  @Test
  void running_requests_complete_before_the_listener_stops() throws Exception {
    TestListener server = new TestListener();
    int port = server.port();
    try (RawHttpClient http = RawHttpClient.to(port)) {
      http.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      server.awaitWaiting(1);
      CompletableFuture<Void> stopping =
          CompletableFuture.runAsync(() -> server.listener.stop(Duration.ofSeconds(20)));
      awaitRefusal(port);
      assertThat(stopping).isNotDone();
      server.release.countDown();

      assertThat(http.readResponse().body()).isEqualTo("waited");
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
  void a_request_that_outlasts_the_stop_is_cut_off_and_logged_in_one_line() throws Exception {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try (TestListener server = new TestListener();
        RawHttpClient http = RawHttpClient.to(server.port())) {
      http.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      server.awaitWaiting(1);

      assertThat(server.listener.stop(Duration.ofMillis(100))).isFalse();
      assertThat(http.readToEnd()).isEmpty();
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("1 request was cut off after 0.1 s")
        .doesNotContain("\tat ");
  }

  @Test
  void an_idle_connection_is_not_logged_as_a_request_that_was_cut_off() throws Exception {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try (TestListener server = new TestListener(withIdleTimeout(Duration.ofHours(1)));
        RawHttpClient http = RawHttpClient.to(server.port())) {
      assertThat(http.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").readResponse().status())
          .isEqualTo(200);

      assertThat(server.listener.stop(Duration.ofMillis(100))).isTrue();
      assertThat(http.readToEnd()).isEmpty();
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("cut off");
  }

  @Test
  void a_request_that_arrives_while_the_listener_stops_gets_a_503() throws Exception {
    TestListener server = new TestListener(withIdleTimeout(Duration.ofHours(1)));
    int port = server.port();
    CompletableFuture<Void> stopping;
    try (RawHttpClient busy = RawHttpClient.to(port);
        RawHttpClient late = RawHttpClient.to(port)) {
      busy.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      server.awaitWaiting(1);
      late.send("GET /fine HTTP/1.1\r\nHo");
      server.awaitSweep();
      stopping = CompletableFuture.runAsync(() -> server.listener.stop(Duration.ofMinutes(5)));
      awaitRefusal(port);

      RawResponse refused = late.send("st: localhost\r\n\r\n").readResponse();

      assertProblem(refused, 503);
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      server.release.countDown();
      assertThat(busy.readResponse().body()).isEqualTo("waited");
    }
    stopping.get(20, TimeUnit.SECONDS);
  }

  @Test
  void an_internal_error_is_a_500_without_details() throws Exception {
    JettyListener broken =
        JettyListener.start(
            "127.0.0.1",
            0,
            HttpLimits.DEFAULT,
            () -> Duration.ZERO,
            request -> {
              throw new IllegalStateException("a secret detail");
            });
    RawResponse response = RawHttpClient.request(broken.port(), "GET", "/fine");
    broken.stop(Duration.ofSeconds(5));

    assertProblem(response, 500);
    assertThat(response.body()).contains("internal error of perdure").doesNotContain("secret");
  }

  @Test
  void reports_an_address_that_is_in_use() {
    try (TestListener server = new TestListener()) {
      assertThatThrownBy(
              () ->
                  JettyListener.start(
                      "127.0.0.1",
                      server.port(),
                      HttpLimits.DEFAULT,
                      () -> Duration.ZERO,
                      request -> Response.text(200, "text/plain", "")))
          .isInstanceOf(CannotListenException.class)
          .hasMessage("127.0.0.1:" + server.port() + " is in use by another program");
    }
  }

  @Test
  void a_response_may_take_longer_than_the_idle_timeout() throws Exception {
    try (TestListener server = new TestListener(withIdleTimeout(Duration.ofSeconds(5)));
        RawHttpClient http = RawHttpClient.to(server.port())) {
      http.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      server.awaitWaiting(1);
      try (RawHttpClient idle = RawHttpClient.to(server.port())) {
        assertThat(idle.readToEnd()).as("a later idle connection was closed first").isEmpty();
      }
      server.release.countDown();
      assertThat(http.readResponse().body()).isEqualTo("waited");
    }
  }
}

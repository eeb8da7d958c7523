// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.server.http.Wire.Answer;
import dev.perdure.server.http.jetty.JettyListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JettyListenerTest {

  private static final String HOST = "Host: localhost\r\n";

  private static HttpLimits limits(int bodyBytes, int connections, int requests) {
    return new HttpLimits(
        bodyBytes,
        4 * bodyBytes,
        4 * 1024,
        connections,
        requests,
        Duration.ofSeconds(10),
        Duration.ofMinutes(5));
  }

  private static void assertProblem(Answer answer, int status) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(answer.json().get("status").intValue()).isEqualTo(status);
    assertThat(answer.body()).doesNotContain("jetty", "Exception");
  }

  @Nested
  class WhatIsTooLarge {

    private final Listening site = new Listening(limits(1_000, 100, 100));

    @Test
    void a_body_that_says_so_is_refused_before_it_is_read() throws IOException {
      try (site;
          Wire wire = Wire.to(site.port())) {
        wire.send(
            "POST /length HTTP/1.1\r\n"
                + HOST
                + "Content-Type: application/json\r\nContent-Length: 1001\r\n\r\n");
        assertProblem(wire.answer(), 413);
      }
    }

    @Test
    void a_body_that_does_not_say_so_is_refused_when_it_is() throws IOException {
      try (site;
          Wire wire = Wire.to(site.port())) {
        wire.send(
            "POST /length HTTP/1.1\r\n"
                + HOST
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3e9\r\n"
                + "x".repeat(1_001)
                + "\r\n");
        assertProblem(wire.answer(), 413);
      }
    }

    @Test
    void a_body_that_just_fits_is_taken() throws IOException {
      try (site) {
        assertThat(Wire.post(site.port(), "/length", "x".repeat(1_000)).body()).isEqualTo("1000");
      }
    }

    @Test
    void an_address_or_headers_are_refused() throws IOException {
      try (site) {
        int port = site.port();
        assertProblem(Wire.ask(port, "GET", "/fine?" + "x".repeat(9_000)), 414);
        assertProblem(Wire.ask(port, "GET", "/fine", "X-A: " + "x".repeat(5_000)), 431);
      }
      try (Listening wide = new Listening()) {
        assertProblem(Wire.ask(wide.port(), "GET", "/fine?" + "x".repeat(9_000)), 414);
      }
    }
  }

  @Nested
  class WhatIsNotHttp {

    @ParameterizedTest
    @ValueSource(
        strings = {
          "GET /fine\r\n\r\n",
          "nonsense\r\n\r\n",
          "GET /fine HTTP/1.1\r\n\r\n",
          "GET /fine HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
          "GET /fine HTTP/9.9\r\nHost: localhost\r\n\r\n",
          "GET /a/../fine%2f..%2f HTTP/1.1\r\nHost: localhost\r\n\r\n",
          "GET /fine HTTP/1.1\r\nHost: localhost\r\nX : y\r\n\r\n",
          "PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
          "POST /length HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
          "POST /length HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
              + "Content-Length: 3\r\n\r\nabc",
        })
    void is_refused_with_a_problem_document(String request) throws IOException {
      try (Listening site = new Listening();
          Wire wire = Wire.to(site.port())) {
        Answer answer = wire.send(request).answer();

        assertThat(answer.status()).isIn(400, 505);
        assertProblem(answer, answer.status());
      }
    }
  }

  @Nested
  class WhoIsTooSlow {

    private final Listening site = new Listening(limits(1_000, 100, 100));

    /** Lets the clock jump once the server has seen what was sent so far. */
    private void assertCutOff(Wire wire) throws IOException {
      CompletableFuture<Void> time =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 100 && !Thread.currentThread().isInterrupted(); i++) {
                  site.clock.updateAndGet(now -> now.plusSeconds(6));
                  LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
                }
              });
      assertThat(wire.lastWords()).isEmpty();
      time.cancel(true);
    }

    @Test
    void with_its_headers_is_cut_off() throws IOException {
      try (site;
          Wire wire = Wire.to(site.port())) {
        wire.send("GET /fine HTTP/1.1\r\nHo");
        assertCutOff(wire);
      }
    }

    @Test
    void with_its_body_is_cut_off() throws IOException {
      try (site;
          Wire wire = Wire.to(site.port())) {
        wire.send(
            "POST /length HTTP/1.1\r\n"
                + HOST
                + "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n123");
        assertCutOff(wire);
      }
    }

    @Test
    void with_its_second_request_is_cut_off() throws IOException {
      try (site;
          Wire wire = Wire.to(site.port())) {
        assertThat(wire.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").answer().status())
            .isEqualTo(200);
        wire.send("GET /fine HTTP/1.1\r\nHo");
        assertCutOff(wire);
      }
    }

    @Test
    void but_not_who_waits_for_a_slow_answer_or_asks_again_later() throws Exception {
      try (site;
          Wire waiting = Wire.to(site.port());
          Wire resting = Wire.to(site.port());
          Wire slow = Wire.to(site.port())) {
        assertThat(resting.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").answer().status())
            .isEqualTo(200);
        waiting.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
        assertThat(site.waiting.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        slow.send("GET /fine HTTP/1.1\r\nHo");
        assertCutOff(slow);
        site.release.countDown();

        assertThat(waiting.answer().body()).isEqualTo("waited");
        assertThat(resting.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").answer().status())
            .isEqualTo(200);
      }
    }
  }

  @Test
  void more_requests_than_allowed_are_told_to_come_again() throws Exception {
    try (Listening site = new Listening(limits(1_000, 100, 2));
        Wire first = Wire.to(site.port());
        Wire second = Wire.to(site.port())) {
      first.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      second.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      assertThat(site.waiting.tryAcquire(2, 10, TimeUnit.SECONDS)).isTrue();

      Answer refused = Wire.ask(site.port(), "GET", "/fine");
      assertProblem(refused, 503);
      assertThat(refused.header("Retry-After")).isEqualTo("1");

      site.release.countDown();
      assertThat(first.answer().status()).isEqualTo(200);
      assertThat(second.answer().status()).isEqualTo(200);
      assertThat(Wire.ask(site.port(), "GET", "/fine").status()).isEqualTo(200);
    }
  }

  @Test
  void a_connection_too_many_waits_for_a_place() throws Exception {
    try (Listening site = new Listening(limits(1_000, 1, 100));
        Wire first = Wire.to(site.port());
        Wire second = Wire.to(site.port())) {
      assertThat(first.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").answer().status())
          .isEqualTo(200);
      second.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n");
      CompletableFuture<Answer> answered =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return second.answer();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      assertThat(first.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").answer().status())
          .isEqualTo(200);
      assertThat(answered).isNotDone();
      first.hangUp();

      assertThat(answered.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
    }
  }

  @Test
  void what_is_under_way_ends_before_the_listener_stops() throws Exception {
    Listening site = new Listening();
    int port = site.port();
    try (Wire wire = Wire.to(port)) {
      wire.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      assertThat(site.waiting.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<Void> stopping =
          CompletableFuture.runAsync(() -> site.listener.stop(Duration.ofSeconds(20)));
      awaitRefusal(port);
      assertThat(stopping).isNotDone();
      site.release.countDown();

      assertThat(wire.answer().body()).isEqualTo("waited");
      stopping.get(20, TimeUnit.SECONDS);
    }
    assertThatThrownBy(() -> Wire.to(port)).isInstanceOf(IOException.class);
  }

  private static void awaitRefusal(int port) {
    for (int i = 0; i < 1_000; i++) {
      try {
        Wire.to(port).close();
        LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
      } catch (IOException refused) {
        return;
      }
    }
    throw new AssertionError("still accepts connections");
  }

  @Test
  void says_that_an_address_is_taken() {
    try (Listening site = new Listening()) {
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
    HttpLimits usual = limits(1_000, 100, 100);
    HttpLimits impatient =
        new HttpLimits(
            usual.bodyBytes(),
            usual.allBodyBytes(),
            usual.headerBytes(),
            usual.connections(),
            usual.requests(),
            usual.readTime(),
            Duration.ofMillis(100));
    try (Listening site = new Listening(impatient);
        Wire wire = Wire.to(site.port())) {
      wire.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
      site.waiting.acquire();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
      site.release.countDown();
      assertThat(wire.answer().body()).isEqualTo("waited");
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import static dev.perdure.server.http.TestListener.HOST;
import static dev.perdure.server.http.TestListener.JSON;
import static dev.perdure.server.http.TestListener.limits;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that send slowly, and clients that disconnect. */
@Tag("slow")
class SlowAndGoneClientsTest {

  @Nested
  class ReadTimeout {

    private final TestListener server = new TestListener(limits(1_000, 100, 100));

    /** The time counts from the first sweep that sees a byte of the request. */
    private void assertDisconnected(RawHttpClient http) throws Exception {
      FutureTask<String> received = new FutureTask<>(http::readToEnd);
      Thread.ofVirtual().start(received);
      while (!received.isDone()) {
        server.awaitSweep();
        server.clock.updateAndGet(now -> now.plusSeconds(11));
      }
      assertThat(received.get()).isEmpty();
    }

    @Test
    void a_client_that_sends_its_headers_slowly_is_disconnected() throws Exception {
      try (server;
          RawHttpClient http = RawHttpClient.to(server.port())) {
        http.send("GET /fine HTTP/1.1\r\nHo");
        assertDisconnected(http);
      }
    }

    @Test
    void a_client_that_sends_its_body_slowly_is_disconnected() throws Exception {
      try (server;
          RawHttpClient http = RawHttpClient.to(server.port())) {
        http.send(
            "POST /length HTTP/1.1\r\n"
                + HOST
                + "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n123");
        assertDisconnected(http);
      }
    }

    @Test
    void a_client_that_sends_its_second_request_slowly_is_disconnected() throws Exception {
      try (server;
          RawHttpClient http = RawHttpClient.to(server.port())) {
        assertThat(http.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").readResponse().status())
            .isEqualTo(200);
        http.send("GET /fine HTTP/1.1\r\nHo");
        assertDisconnected(http);
      }
    }

    @Test
    void a_client_that_waits_for_a_response_or_is_idle_is_not_disconnected() throws Exception {
      try (server;
          RawHttpClient waiting = RawHttpClient.to(server.port());
          RawHttpClient idle = RawHttpClient.to(server.port());
          RawHttpClient slow = RawHttpClient.to(server.port())) {
        assertThat(idle.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").readResponse().status())
            .isEqualTo(200);
        waiting.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
        server.awaitWaiting(1);
        slow.send("GET /fine HTTP/1.1\r\nHo");
        assertDisconnected(slow);
        server.release.countDown();

        assertThat(waiting.readResponse().body()).isEqualTo("waited");
        assertThat(idle.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").readResponse().status())
            .isEqualTo(200);
      }
    }

    @Test
    void a_client_whose_body_is_not_read_is_not_disconnected() throws Exception {
      try (server;
          RawHttpClient http = RawHttpClient.to(server.port())) {
        http.send("GET /wait HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 2\r\n\r\n{}");
        server.awaitWaiting(1);
        server.awaitSweep();
        server.clock.updateAndGet(now -> now.plusSeconds(11));
        server.awaitSweep();
        server.release.countDown();

        assertThat(http.readResponse().body()).isEqualTo("waited");
      }
    }

    @Test
    void a_request_after_one_with_an_unread_body_gets_the_full_time() throws Exception {
      try (server;
          RawHttpClient http = RawHttpClient.to(server.port())) {
        http.send("POST /ignore HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 2\r\n\r\n{}");
        server.awaitWaiting(1);
        server.awaitSweep();
        server.release.countDown();
        assertThat(http.readResponse().body()).isEqualTo("ignored");
        // A second response proves that the server has finished with the first request.
        http.send("POST /ignore HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 2\r\n\r\n{}");
        assertThat(http.readResponse().body()).isEqualTo("ignored");
        server.clock.updateAndGet(now -> now.plusSeconds(11));
        http.send("POST /length HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 3\r\n\r\n1");
        server.awaitSweep();

        assertThat(http.send("23").readResponse().body()).isEqualTo("3");
      }
    }

    @Test
    void a_slow_client_is_disconnected_after_a_failed_sweep() throws Exception {
      try (server;
          RawHttpClient http = RawHttpClient.to(server.port())) {
        server.failClock();
        http.send("GET /fine HTTP/1.1\r\nHo");
        assertDisconnected(http);
      }
    }
  }

  @Nested
  class Disconnects {

    private final TestListener server = new TestListener(limits(1_000, 100, 100));

    private RawHttpClient sendRequest(String path) throws Exception {
      RawHttpClient http = RawHttpClient.to(server.port());
      http.send("GET " + path + " HTTP/1.1\r\n" + HOST + "\r\n");
      server.awaitWaiting(1);
      return http;
    }

    @Test
    void a_disconnected_client_is_distinguished_from_a_waiting_one() throws Exception {
      try (server;
          RawHttpClient here = sendRequest("/connected");
          RawHttpClient gone = sendRequest("/gone")) {
        gone.disconnect();
        server.release.countDown();

        assertThat(here.readResponse().body()).isEqualTo("connected");
        assertThat(gone.readResponse().body()).isEqualTo("gone");
      }
    }

    @Test
    void a_client_that_has_sent_its_next_request_does_not_count_as_disconnected() throws Exception {
      try (server;
          RawHttpClient http = sendRequest("/connected")) {
        http.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n");
        server.release.countDown();

        assertThat(http.readResponse().body()).isEqualTo("connected");
        assertThat(http.readResponse().body()).isEqualTo("fine");
        http.send(
            "GET /connected HTTP/1.1\r\n" + HOST + "\r\nGET /fine HTTP/1.1\r\n" + HOST + "\r\n");
        assertThat(http.readResponse().body()).isEqualTo("connected");
        assertThat(http.readResponse().body()).isEqualTo("fine");
      }
    }

    @Test
    void an_undelivered_response_is_reported_to_its_handler() throws Exception {
      try (server;
          RawHttpClient here = sendRequest("/tracked");
          RawHttpClient gone = sendRequest("/tracked/gone")) {
        gone.disconnect();
        server.release.countDown();

        assertThat(gone.readResponse().status()).isEqualTo(503);
        assertThat(here.readResponse().status()).isEqualTo(200);
        assertThat(server.undelivered.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
        assertThat(server.undelivered.availablePermits())
            .as("the other response was delivered")
            .isZero();
      }
    }

    @Test
    @SuppressWarnings("try") // it is closed early on purpose
    void a_partly_delivered_response_is_reported_to_its_handler() throws Exception {
      try (server;
          RawHttpClient http = sendRequest("/large")) {
        server.release.countDown();
        http.read(10);
        http.close();

        assertThat(server.undelivered.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
      }
    }
  }
}

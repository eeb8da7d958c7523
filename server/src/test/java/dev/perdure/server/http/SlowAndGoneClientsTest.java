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

/** Clients that let the server wait, or have gone. */
@Tag("slow")
class SlowAndGoneClientsTest {

  @Nested
  class WhoIsTooSlow {

    private final TestListener site = new TestListener(limits(1_000, 100, 100));

    /** Its time is counted from the first sweep that has seen a byte of it, whenever that is. */
    private void assertCutOff(RawHttpClient rawHttpClient) throws Exception {
      FutureTask<String> lastWords = new FutureTask<>(rawHttpClient::readToEnd);
      Thread.ofVirtual().start(lastWords);
      while (!lastWords.isDone()) {
        site.awaitSweep();
        site.clock.updateAndGet(now -> now.plusSeconds(11));
      }
      assertThat(lastWords.get()).isEmpty();
    }

    @Test
    void with_its_headers_is_cut_off() throws Exception {
      try (site;
          RawHttpClient rawHttpClient = RawHttpClient.to(site.port())) {
        rawHttpClient.send("GET /fine HTTP/1.1\r\nHo");
        assertCutOff(rawHttpClient);
      }
    }

    @Test
    void with_its_body_is_cut_off() throws Exception {
      try (site;
          RawHttpClient rawHttpClient = RawHttpClient.to(site.port())) {
        rawHttpClient.send(
            "POST /length HTTP/1.1\r\n"
                + HOST
                + "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n123");
        assertCutOff(rawHttpClient);
      }
    }

    @Test
    void with_its_second_request_is_cut_off() throws Exception {
      try (site;
          RawHttpClient rawHttpClient = RawHttpClient.to(site.port())) {
        assertThat(
                rawHttpClient
                    .send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n")
                    .readResponse()
                    .status())
            .isEqualTo(200);
        rawHttpClient.send("GET /fine HTTP/1.1\r\nHo");
        assertCutOff(rawHttpClient);
      }
    }

    @Test
    void but_not_who_waits_for_a_slow_answer_or_asks_again_later() throws Exception {
      try (site;
          RawHttpClient waiting = RawHttpClient.to(site.port());
          RawHttpClient resting = RawHttpClient.to(site.port());
          RawHttpClient slow = RawHttpClient.to(site.port())) {
        assertThat(resting.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").readResponse().status())
            .isEqualTo(200);
        waiting.send("GET /wait HTTP/1.1\r\n" + HOST + "\r\n");
        site.awaitWaiting(1);
        slow.send("GET /fine HTTP/1.1\r\nHo");
        assertCutOff(slow);
        site.release.countDown();

        assertThat(waiting.readResponse().body()).isEqualTo("waited");
        assertThat(resting.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").readResponse().status())
            .isEqualTo(200);
      }
    }

    @Test
    void but_not_who_sent_a_body_that_nobody_reads() throws Exception {
      try (site;
          RawHttpClient rawHttpClient = RawHttpClient.to(site.port())) {
        rawHttpClient.send("GET /wait HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 2\r\n\r\n{}");
        site.awaitWaiting(1);
        site.awaitSweep();
        site.clock.updateAndGet(now -> now.plusSeconds(11));
        site.awaitSweep();
        site.release.countDown();

        assertThat(rawHttpClient.readResponse().body()).isEqualTo("waited");
      }
    }

    @Test
    void but_not_who_comes_after_a_request_whose_body_nobody_read() throws Exception {
      try (site;
          RawHttpClient rawHttpClient = RawHttpClient.to(site.port())) {
        rawHttpClient.send(
            "POST /ignore HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 2\r\n\r\n{}");
        site.awaitWaiting(1);
        site.awaitSweep();
        site.release.countDown();
        assertThat(rawHttpClient.readResponse().body()).isEqualTo("ignored");
        // When another one is answered, the first has ended in every respect.
        rawHttpClient.send(
            "POST /ignore HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 2\r\n\r\n{}");
        assertThat(rawHttpClient.readResponse().body()).isEqualTo("ignored");
        site.clock.updateAndGet(now -> now.plusSeconds(11));
        rawHttpClient.send(
            "POST /length HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 3\r\n\r\n1");
        site.awaitSweep();

        assertThat(rawHttpClient.send("23").readResponse().body()).isEqualTo("3");
      }
    }

    @Test
    void is_cut_off_also_after_a_sweep_that_failed() throws Exception {
      try (site;
          RawHttpClient rawHttpClient = RawHttpClient.to(site.port())) {
        site.failClock();
        rawHttpClient.send("GET /fine HTTP/1.1\r\nHo");
        assertCutOff(rawHttpClient);
      }
    }
  }

  @Nested
  class WhoHasGone {

    private final TestListener site = new TestListener(limits(1_000, 100, 100));

    private RawHttpClient asking(String path) throws Exception {
      RawHttpClient rawHttpClient = RawHttpClient.to(site.port());
      rawHttpClient.send("GET " + path + " HTTP/1.1\r\n" + HOST + "\r\n");
      site.awaitWaiting(1);
      return rawHttpClient;
    }

    @Test
    void is_told_from_who_waits() throws Exception {
      try (site;
          RawHttpClient here = asking("/there");
          RawHttpClient gone = asking("/gone")) {
        gone.disconnect();
        site.release.countDown();

        assertThat(here.readResponse().body()).isEqualTo("there");
        assertThat(gone.readResponse().body()).isEqualTo("gone");
      }
    }

    @Test
    void is_told_from_who_has_sent_the_next_request_already() throws Exception {
      try (site;
          RawHttpClient rawHttpClient = asking("/there")) {
        rawHttpClient.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n");
        site.release.countDown();

        assertThat(rawHttpClient.readResponse().body()).isEqualTo("there");
        assertThat(rawHttpClient.readResponse().body()).isEqualTo("fine");
        rawHttpClient.send(
            "GET /there HTTP/1.1\r\n" + HOST + "\r\nGET /fine HTTP/1.1\r\n" + HOST + "\r\n");
        assertThat(rawHttpClient.readResponse().body()).isEqualTo("there");
        assertThat(rawHttpClient.readResponse().body()).isEqualTo("fine");
      }
    }

    @Test
    void does_not_keep_what_was_meant_for_it() throws Exception {
      try (site;
          RawHttpClient here = asking("/gift");
          RawHttpClient gone = asking("/gift/gone")) {
        gone.disconnect();
        site.release.countDown();

        assertThat(gone.readResponse().status()).isEqualTo(503);
        assertThat(here.readResponse().status()).isEqualTo(200);
        assertThat(site.lost.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
        assertThat(site.lost.availablePermits()).as("the other was sent").isZero();
      }
    }

    @Test
    @SuppressWarnings("try") // it is closed in the middle on purpose
    void in_the_middle_of_an_answer_does_not_keep_it_either() throws Exception {
      try (site;
          RawHttpClient rawHttpClient = asking("/large")) {
        site.release.countDown();
        rawHttpClient.read(10);
        rawHttpClient.close();

        assertThat(site.lost.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
      }
    }
  }
}

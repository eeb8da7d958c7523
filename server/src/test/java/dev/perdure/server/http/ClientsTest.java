// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import static dev.perdure.server.http.Listening.HOST;
import static dev.perdure.server.http.Listening.JSON;
import static dev.perdure.server.http.Listening.limits;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Clients that let the server wait, or have gone. */
class ClientsTest {

  @Nested
  class WhoIsTooSlow {

    private final Listening site = new Listening(limits(1_000, 100, 100));

    /** Its time is counted from the first sweep that has seen a byte of it, whenever that is. */
    private void assertCutOff(Wire wire) throws Exception {
      FutureTask<String> lastWords = new FutureTask<>(wire::lastWords);
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
          Wire wire = Wire.to(site.port())) {
        wire.send("GET /fine HTTP/1.1\r\nHo");
        assertCutOff(wire);
      }
    }

    @Test
    void with_its_body_is_cut_off() throws Exception {
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
    void with_its_second_request_is_cut_off() throws Exception {
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
        site.awaitWaiting(1);
        slow.send("GET /fine HTTP/1.1\r\nHo");
        assertCutOff(slow);
        site.release.countDown();

        assertThat(waiting.answer().body()).isEqualTo("waited");
        assertThat(resting.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n").answer().status())
            .isEqualTo(200);
      }
    }

    @Test
    void but_not_who_sent_a_body_that_nobody_reads() throws Exception {
      try (site;
          Wire wire = Wire.to(site.port())) {
        wire.send("GET /wait HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 2\r\n\r\n{}");
        site.awaitWaiting(1);
        site.awaitSweep();
        site.clock.updateAndGet(now -> now.plusSeconds(11));
        site.awaitSweep();
        site.release.countDown();

        assertThat(wire.answer().body()).isEqualTo("waited");
      }
    }

    @Test
    void but_not_who_comes_after_a_request_whose_body_nobody_read() throws Exception {
      try (site;
          Wire wire = Wire.to(site.port())) {
        wire.send("POST /ignore HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 2\r\n\r\n{}");
        site.awaitWaiting(1);
        site.awaitSweep();
        site.release.countDown();
        assertThat(wire.answer().body()).isEqualTo("ignored");
        // When another one is answered, the first has ended in every respect.
        wire.send("POST /ignore HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 2\r\n\r\n{}");
        assertThat(wire.answer().body()).isEqualTo("ignored");
        site.clock.updateAndGet(now -> now.plusSeconds(11));
        wire.send("POST /length HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 3\r\n\r\n1");
        site.awaitSweep();

        assertThat(wire.send("23").answer().body()).isEqualTo("3");
      }
    }

    @Test
    void is_cut_off_also_after_a_sweep_that_failed() throws Exception {
      try (site;
          Wire wire = Wire.to(site.port())) {
        site.failClock();
        wire.send("GET /fine HTTP/1.1\r\nHo");
        assertCutOff(wire);
      }
    }
  }

  @Nested
  class WhoHasGone {

    private final Listening site = new Listening(limits(1_000, 100, 100));

    private Wire asking(String path) throws Exception {
      Wire wire = Wire.to(site.port());
      wire.send("GET " + path + " HTTP/1.1\r\n" + HOST + "\r\n");
      site.awaitWaiting(1);
      return wire;
    }

    @Test
    void is_told_from_who_waits() throws Exception {
      try (site;
          Wire here = asking("/there");
          Wire gone = asking("/gone")) {
        gone.hangUp();
        site.release.countDown();

        assertThat(here.answer().body()).isEqualTo("there");
        assertThat(gone.answer().body()).isEqualTo("gone");
      }
    }

    @Test
    void is_told_from_who_has_sent_the_next_request_already() throws Exception {
      try (site;
          Wire wire = asking("/there")) {
        wire.send("GET /fine HTTP/1.1\r\n" + HOST + "\r\n");
        site.release.countDown();

        assertThat(wire.answer().body()).isEqualTo("there");
        assertThat(wire.answer().body()).isEqualTo("fine");
        wire.send("GET /there HTTP/1.1\r\n" + HOST + "\r\nGET /fine HTTP/1.1\r\n" + HOST + "\r\n");
        assertThat(wire.answer().body()).isEqualTo("there");
        assertThat(wire.answer().body()).isEqualTo("fine");
      }
    }

    @Test
    void does_not_keep_what_was_meant_for_it() throws Exception {
      try (site;
          Wire here = asking("/gift");
          Wire gone = asking("/gift/gone")) {
        gone.hangUp();
        site.release.countDown();

        assertThat(gone.answer().status()).isEqualTo(503);
        assertThat(here.answer().status()).isEqualTo(200);
        assertThat(site.lost.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
        assertThat(site.lost.availablePermits()).as("the other was sent").isZero();
      }
    }

    @Test
    @SuppressWarnings("try") // it is closed in the middle on purpose
    void in_the_middle_of_an_answer_does_not_keep_it_either() throws Exception {
      try (site;
          Wire wire = asking("/large")) {
        site.release.countDown();
        wire.read(10);
        wire.close();

        assertThat(site.lost.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
      }
    }
  }
}

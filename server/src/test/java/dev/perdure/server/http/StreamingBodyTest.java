// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.http.jetty.JettyListener;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers that go on, over real connections. */
class StreamingBodyTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final BlockingQueue<ResponseStream> opened = new LinkedBlockingQueue<>();
  private final BlockingQueue<Boolean> sent = new LinkedBlockingQueue<>();
  private final JettyListener listener =
      JettyListener.start("127.0.0.1", 0, HttpLimits.DEFAULT, () -> Duration.ZERO, site(opened));

  private static HttpPipeline site(BlockingQueue<ResponseStream> opened) {
    return new HttpPipeline(
        new HostOriginCheck(URI.create("http://localhost"), false),
        headers -> Caller.ANYONE,
        new RouteTable(
            List.of(
                Route.get("/feed", Role.READ, request -> Response.streaming("text/x", opened::add)),
                Route.get(
                    "/fine",
                    Role.READ,
                    request -> Response.text(HttpStatus.OK, "text/x", "fine")))),
        (caller, auditEntry) -> {},
        thrown -> Optional.empty(),
        new SplittableRandom(1));
  }

  @AfterEach
  void stop() {
    listener.stop(LIMIT);
  }

  private ResponseStream channel() throws InterruptedException {
    return Objects.requireNonNull(opened.poll(20, TimeUnit.SECONDS), "nobody came");
  }

  private boolean wentOut() throws InterruptedException {
    return Objects.requireNonNull(sent.poll(20, TimeUnit.SECONDS), "nobody knows");
  }

  private boolean sends(ResponseStream responseStream, String text) throws InterruptedException {
    responseStream.send(text.getBytes(StandardCharsets.UTF_8), sent::add);
    return wentOut();
  }

  @Test
  void arrive_piece_by_piece_until_they_end() throws Exception {
    try (StreamClient streamClient = StreamClient.silent(listener.port(), "/feed")) {
      ResponseStream responseStream = channel();
      assertThat(sends(responseStream, "one\n")).isTrue();
      assertThat(streamClient.next("HTTP/1.1 200")).isNotEqualTo(StreamClient.END);
      assertThat(streamClient.next("X-Frame-Options: DENY")).isNotEqualTo(StreamClient.END);
      assertThat(streamClient.next("one")).isEqualTo("one");
      assertThat(sends(responseStream, "two\n")).isTrue();
      assertThat(streamClient.next("two")).isEqualTo("two");
      responseStream.end();
      assertThat(streamClient.next("0")).isEqualTo("0");
    }
  }

  @Test
  void are_not_sent_to_who_asks_for_the_headers_alone() throws IOException {
    try (StreamClient streamClient = StreamClient.of(listener.port(), "HEAD", "/feed")) {
      assertThat(streamClient.status()).isEqualTo(200);
      assertThat(streamClient.head()).contains("Content-Type: text/x");
    }
    assertThat(opened).isEmpty();
  }

  @Test
  void to_a_client_that_does_not_read_keep_nobody_waiting_and_can_be_cut() throws Exception {
    try (StreamClient streamClient = StreamClient.silent(listener.port(), "/feed")) {
      ResponseStream responseStream = channel();
      responseStream.send(new byte[64 * 1024 * 1024], sent::add);

      assertThat(RawHttpClient.ask(listener.port(), "GET", "/fine").body()).isEqualTo("fine");
      assertThat(sent).isEmpty();

      responseStream.abort();
      assertThat(wentOut()).isFalse();
      assertThat(streamClient.next("never sent")).isEqualTo(StreamClient.END);
    }
    assertThat(listener.stop(LIMIT)).as("nothing is left of it").isTrue();
  }

  @Test
  void to_a_client_that_has_gone_fail() throws Exception {
    StreamClient streamClient = StreamClient.silent(listener.port(), "/feed");
    ResponseStream responseStream = channel();
    streamClient.close();

    boolean wentOut = true;
    for (int i = 0; i < 1_000 && wentOut; i++) {
      wentOut = sends(responseStream, "x".repeat(1_000));
    }

    assertThat(wentOut).isFalse();
    assertThat(listener.stop(LIMIT)).as("nothing is left of it").isTrue();
  }

  @Test
  void need_no_thread_each() throws Exception {
    List<StreamClient> streamClients = new ArrayList<>();
    List<ResponseStream> responseStreams = new ArrayList<>();
    int before = Thread.getAllStackTraces().size();
    for (int i = 0; i < 100; i++) {
      streamClients.add(StreamClient.silent(listener.port(), "/feed"));
      responseStreams.add(channel());
      assertThat(sends(responseStreams.getLast(), "piece\n")).isTrue();
    }
    // Of platform threads: others are not among these.
    assertThat(Thread.getAllStackTraces().size() - before).isLessThan(30);
    assertThat(RawHttpClient.ask(listener.port(), "GET", "/fine").body()).isEqualTo("fine");
    for (StreamClient streamClient : streamClients) {
      assertThat(streamClient.next("piece")).isEqualTo("piece");
    }
    responseStreams.forEach(ResponseStream::end);
    for (StreamClient streamClient : streamClients) {
      assertThat(streamClient.next("0")).isEqualTo("0");
      streamClient.close();
    }
  }
}

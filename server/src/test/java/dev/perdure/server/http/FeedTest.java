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
class FeedTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final BlockingQueue<Channel> opened = new LinkedBlockingQueue<>();
  private final BlockingQueue<Boolean> sent = new LinkedBlockingQueue<>();
  private final JettyListener listener =
      JettyListener.start("127.0.0.1", 0, HttpLimits.DEFAULT, () -> Duration.ZERO, site(opened));

  private static Site site(BlockingQueue<Channel> opened) {
    return new Site(
        new OwnNames(URI.create("http://localhost"), false),
        headers -> Caller.ANYONE,
        new RouteTable(
            List.of(
                Route.get("/feed", Role.READ, request -> Response.feed("text/x", opened::add)),
                Route.get(
                    "/fine", Role.READ, request -> Response.text(Status.OK, "text/x", "fine")))),
        (caller, deed) -> {},
        thrown -> Optional.empty(),
        new SplittableRandom(1));
  }

  @AfterEach
  void stop() {
    listener.stop(LIMIT);
  }

  private Channel channel() throws InterruptedException {
    return Objects.requireNonNull(opened.poll(20, TimeUnit.SECONDS), "nobody came");
  }

  private boolean wentOut() throws InterruptedException {
    return Objects.requireNonNull(sent.poll(20, TimeUnit.SECONDS), "nobody knows");
  }

  private boolean sends(Channel channel, String text) throws InterruptedException {
    channel.send(text.getBytes(StandardCharsets.UTF_8), sent::add);
    return wentOut();
  }

  @Test
  void arrive_piece_by_piece_until_they_end() throws Exception {
    try (Watcher watcher = Watcher.silent(listener.port(), "/feed")) {
      Channel channel = channel();
      assertThat(sends(channel, "one\n")).isTrue();
      assertThat(watcher.next("HTTP/1.1 200")).isNotEqualTo(Watcher.END);
      assertThat(watcher.next("X-Frame-Options: DENY")).isNotEqualTo(Watcher.END);
      assertThat(watcher.next("one")).isEqualTo("one");
      assertThat(sends(channel, "two\n")).isTrue();
      assertThat(watcher.next("two")).isEqualTo("two");
      channel.end();
      assertThat(watcher.next("0")).isEqualTo("0");
    }
  }

  @Test
  void are_not_sent_to_who_asks_for_the_headers_alone() throws IOException {
    try (Watcher watcher = Watcher.of(listener.port(), "HEAD", "/feed")) {
      assertThat(watcher.status()).isEqualTo(200);
      assertThat(watcher.head()).contains("Content-Type: text/x");
    }
    assertThat(opened).isEmpty();
  }

  @Test
  void to_a_client_that_does_not_read_keep_nobody_waiting_and_can_be_cut() throws Exception {
    try (Watcher watcher = Watcher.silent(listener.port(), "/feed")) {
      Channel channel = channel();
      channel.send(new byte[64 * 1024 * 1024], sent::add);

      assertThat(Wire.ask(listener.port(), "GET", "/fine").body()).isEqualTo("fine");
      assertThat(sent).isEmpty();

      channel.cut();
      assertThat(wentOut()).isFalse();
      assertThat(watcher.next("never sent")).isEqualTo(Watcher.END);
    }
    assertThat(listener.stop(LIMIT)).as("nothing is left of it").isTrue();
  }

  @Test
  void to_a_client_that_has_gone_fail() throws Exception {
    Watcher watcher = Watcher.silent(listener.port(), "/feed");
    Channel channel = channel();
    watcher.close();

    boolean wentOut = true;
    for (int i = 0; i < 1_000 && wentOut; i++) {
      wentOut = sends(channel, "x".repeat(1_000));
    }

    assertThat(wentOut).isFalse();
    assertThat(listener.stop(LIMIT)).as("nothing is left of it").isTrue();
  }

  @Test
  void need_no_thread_each() throws Exception {
    List<Watcher> watchers = new ArrayList<>();
    List<Channel> channels = new ArrayList<>();
    int before = Thread.getAllStackTraces().size();
    for (int i = 0; i < 100; i++) {
      watchers.add(Watcher.silent(listener.port(), "/feed"));
      channels.add(channel());
      assertThat(sends(channels.getLast(), "piece\n")).isTrue();
    }
    // Of platform threads: others are not among these.
    assertThat(Thread.getAllStackTraces().size() - before).isLessThan(30);
    assertThat(Wire.ask(listener.port(), "GET", "/fine").body()).isEqualTo("fine");
    for (Watcher watcher : watchers) {
      assertThat(watcher.next("piece")).isEqualTo("piece");
    }
    channels.forEach(Channel::end);
    for (Watcher watcher : watchers) {
      assertThat(watcher.next("0")).isEqualTo("0");
      watcher.close();
    }
  }
}

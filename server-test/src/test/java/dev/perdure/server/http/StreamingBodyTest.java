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
import org.junit.jupiter.api.parallel.Isolated;

/** Streaming responses over real connections. */
@Isolated // It counts the threads of the process.
class StreamingBodyTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final BlockingQueue<ResponseStream> opened = new LinkedBlockingQueue<>();
  private final BlockingQueue<Boolean> sent = new LinkedBlockingQueue<>();
  private final JettyListener listener =
      JettyListener.start(
          "127.0.0.1", 0, HttpLimits.DEFAULT, () -> Duration.ZERO, pipeline(opened));

  private static HttpPipeline pipeline(BlockingQueue<ResponseStream> opened) {
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
    listener.stop(TIMEOUT);
  }

  private ResponseStream nextStream() throws InterruptedException {
    return Objects.requireNonNull(opened.poll(20, TimeUnit.SECONDS), "no stream was opened");
  }

  private boolean sendResult() throws InterruptedException {
    return Objects.requireNonNull(
        sent.poll(20, TimeUnit.SECONDS), "the result of sending is unknown");
  }

  private boolean send(ResponseStream stream, String text) throws InterruptedException {
    stream.send(text.getBytes(StandardCharsets.UTF_8), sent::add);
    return sendResult();
  }

  @Test
  void arrives_chunk_by_chunk_until_it_ends() throws Exception {
    try (StreamClient client = StreamClient.silent(listener.port(), "/feed")) {
      ResponseStream stream = nextStream();
      assertThat(send(stream, "one\n")).isTrue();
      assertThat(client.next("HTTP/1.1 200")).isNotEqualTo(StreamClient.END);
      assertThat(client.next("X-Frame-Options: DENY")).isNotEqualTo(StreamClient.END);
      assertThat(client.next("one")).isEqualTo("one");
      assertThat(send(stream, "two\n")).isTrue();
      assertThat(client.next("two")).isEqualTo("two");
      stream.end();
      assertThat(client.next("0")).isEqualTo("0");
    }
  }

  @Test
  void is_not_opened_for_a_head_request() throws IOException {
    try (StreamClient client = StreamClient.of(listener.port(), "HEAD", "/feed")) {
      assertThat(client.status()).isEqualTo(200);
      assertThat(client.head()).contains("Content-Type: text/x");
    }
    assertThat(opened).isEmpty();
  }

  @Test
  void blocks_no_other_request_and_can_be_aborted_while_the_client_does_not_read()
      throws Exception {
    try (StreamClient client = StreamClient.silent(listener.port(), "/feed")) {
      ResponseStream stream = nextStream();
      stream.send(new byte[64 * 1024 * 1024], sent::add);

      assertThat(RawHttpClient.request(listener.port(), "GET", "/fine").body()).isEqualTo("fine");
      assertThat(sent).isEmpty();

      stream.abort();
      assertThat(sendResult()).isFalse();
      assertThat(client.next("never sent")).isEqualTo(StreamClient.END);
    }
    assertThat(listener.stop(TIMEOUT)).as("no request is left").isTrue();
  }

  @Test
  void fails_when_the_client_has_disconnected() throws Exception {
    StreamClient client = StreamClient.silent(listener.port(), "/feed");
    ResponseStream stream = nextStream();
    client.close();

    boolean success = true;
    for (int i = 0; i < 1_000 && success; i++) {
      success = send(stream, "x".repeat(1_000));
    }

    assertThat(success).isFalse();
    assertThat(listener.stop(TIMEOUT)).as("no request is left").isTrue();
  }

  @Test
  void needs_no_thread_of_its_own() throws Exception {
    List<StreamClient> clients = new ArrayList<>();
    List<ResponseStream> streams = new ArrayList<>();
    int before = Thread.getAllStackTraces().size();
    for (int i = 0; i < 100; i++) {
      clients.add(StreamClient.silent(listener.port(), "/feed"));
      streams.add(nextStream());
      assertThat(send(streams.getLast(), "chunk\n")).isTrue();
    }
    // Only platform threads have an entry here.
    assertThat(Thread.getAllStackTraces().size() - before).isLessThan(30);
    assertThat(RawHttpClient.request(listener.port(), "GET", "/fine").body()).isEqualTo("fine");
    for (StreamClient client : clients) {
      assertThat(client.next("chunk")).isEqualTo("chunk");
    }
    streams.forEach(ResponseStream::end);
    for (StreamClient client : clients) {
      assertThat(client.next("0")).isEqualTo("0");
      client.close();
    }
  }
}

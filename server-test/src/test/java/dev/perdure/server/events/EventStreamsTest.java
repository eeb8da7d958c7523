// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.ResponseStream;
import dev.perdure.server.http.StreamingBody;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class EventStreamsTest {

  private final EventStreams streams =
      new EventStreams(9, headers -> Caller.ANYONE, () -> Duration.ZERO, () -> "{}");

  /** Receives every chunk at once, and throws when it is broken. */
  private static final class Client implements ResponseStream {

    final List<String> received = new ArrayList<>();
    private boolean broken;

    @Override
    public void send(byte[] chunk, Consumer<Boolean> callback) {
      if (broken) {
        throw new IllegalStateException("on purpose");
      }
      received.add(new String(chunk, StandardCharsets.UTF_8));
      callback.accept(true);
    }

    @Override
    public void end() {
      received.add("(end)");
    }

    @Override
    public void abort() {
      received.add("(abort)");
    }
  }

  private Client watch() {
    Client client = new Client();
    Request request =
        Request.of(
            "GET",
            "/events",
            QueryParameters.parse(""),
            Headers.from(each -> {}),
            () -> new byte[0]);
    StreamingBody streamingBody = Objects.requireNonNull(streams.watch(request).streaming());
    streamingBody.open(client);
    client.received.clear();
    return client;
  }

  @Test
  void a_broken_stream_is_aborted_and_the_others_continue() {
    Client first = watch();
    Client broken = watch();
    Client last = watch();
    broken.broken = true;
    streams.markAllChanged();

    streams.flush();

    assertThat(first.received)
        .containsExactly("event: tasks\ndata: {}\n\nevent: batches\ndata: {}\n\n");
    assertThat(last.received)
        .containsExactly("event: tasks\ndata: {}\n\nevent: batches\ndata: {}\n\n");
    assertThat(broken.received).containsExactly("(abort)");
    streams.markAllChanged();
    streams.flush();
    assertThat(last.received).hasSize(2);
    assertThat(broken.received).hasSize(1);
  }
}

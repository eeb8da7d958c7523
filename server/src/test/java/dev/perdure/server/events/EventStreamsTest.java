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
      new EventStreams(9, headers -> Caller.ANYONE, () -> Duration.ZERO);

  /** Hears everything at once, until something is wrong with it. */
  private static final class Client implements ResponseStream {

    final List<String> heard = new ArrayList<>();
    private boolean broken;

    @Override
    public void send(byte[] piece, Consumer<Boolean> wentOut) {
      if (broken) {
        throw new IllegalStateException("on purpose");
      }
      heard.add(new String(piece, StandardCharsets.UTF_8));
      wentOut.accept(true);
    }

    @Override
    public void end() {
      heard.add("(end)");
    }

    @Override
    public void abort() {
      heard.add("(cut)");
    }
  }

  private Client watching() {
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
    client.heard.clear();
    return client;
  }

  @Test
  void one_that_is_broken_ends_and_takes_nothing_from_the_others() {
    Client first = watching();
    Client broken = watching();
    Client last = watching();
    broken.broken = true;
    streams.markAllChanged();

    streams.flush();

    assertThat(first.heard).containsExactly("event: tasks\ndata: {}\n\n");
    assertThat(last.heard).containsExactly("event: tasks\ndata: {}\n\n");
    assertThat(broken.heard).containsExactly("(cut)");
    streams.markAllChanged();
    streams.flush();
    assertThat(last.heard).hasSize(2);
    assertThat(broken.heard).hasSize(1);
  }
}

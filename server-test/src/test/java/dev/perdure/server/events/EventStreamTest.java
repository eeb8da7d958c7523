// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.http.ResponseStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class EventStreamTest {

  private static final ChangeHints NO_CHANGES = new ChangeHints();

  private final Client client = new Client();
  private final EventStream stream = new EventStream(client, Duration.ZERO);

  /** Confirms a chunk when the test says so. */
  private static final class Client implements ResponseStream {

    final List<String> received = new ArrayList<>();
    private final Queue<Consumer<Boolean>> inFlight = new ArrayDeque<>();

    @Override
    public void send(byte[] chunk, Consumer<Boolean> callback) {
      assertThat(inFlight).as("chunks in flight").isEmpty();
      received.add(new String(chunk, StandardCharsets.UTF_8));
      inFlight.add(callback);
    }

    void confirm() {
      inFlight.remove().accept(true);
    }

    void disconnect() {
      inFlight.remove().accept(false);
    }

    @Override
    public void end() {
      assertThat(inFlight).as("chunks in flight").isEmpty();
      received.add("(end)");
    }

    @Override
    public void abort() {
      received.add("(abort)");
    }
  }

  private void openStream() {
    stream.open("{}");
    client.confirm();
    client.received.clear();
  }

  private static ChangeHints changes(String kind) {
    ChangeHints hints = new ChangeHints();
    hints.add(kind, new UUID(0, 1), new UUID(0, 2));
    return hints;
  }

  private void tick(ChangeHints changes, double seconds) {
    stream.flush(changes, Duration.ofMillis(Math.round(seconds * 1000)));
  }

  @Test
  void sends_the_reconnect_delay_first() {
    tick(changes("mail"), 0.1);
    assertThat(client.received).isEmpty();

    stream.open("{}");
    client.confirm();
    tick(NO_CHANGES, 0.2);

    assertThat(client.received).hasSize(2);
    assertThat(client.received.getFirst())
        .isEqualTo(": perdure\nretry: 1000\n\nevent: hello\ndata: {}\n\n");
    assertThat(client.received.getLast()).startsWith("event: tasks\ndata: {\"kinds\":[\"mail\"]");
  }

  @Test
  void merges_changes_while_a_chunk_is_being_sent() {
    openStream();
    tick(changes("mail"), 1);
    tick(changes("bill"), 2);
    tick(changes("ring"), 3);
    assertThat(client.received).hasSize(1);

    client.confirm();
    tick(NO_CHANGES, 4);

    assertThat(client.received).hasSize(2);
    assertThat(client.received.getLast()).contains("[\"bill\",\"ring\"]");
  }

  @Test
  void sends_a_keep_alive_comment_after_15_seconds_of_silence() {
    openStream();
    tick(NO_CHANGES, 14.9);
    assertThat(client.received).isEmpty();

    tick(NO_CHANGES, 15);
    assertThat(client.received).containsExactly(":\n\n");

    client.confirm();
    tick(NO_CHANGES, 29.9);
    assertThat(client.received).hasSize(1);
    tick(NO_CHANGES, 30);
    assertThat(client.received).hasSize(2);
  }

  @Test
  void aborts_when_sending_a_chunk_takes_10_seconds() {
    openStream();
    tick(changes("mail"), 1);
    tick(changes("mail"), 10.9);
    assertThat(stream.isClosed()).isFalse();

    tick(NO_CHANGES, 11);
    tick(changes("mail"), 12);

    assertThat(client.received).hasSize(2).endsWith("(abort)");
    assertThat(stream.isClosed()).isTrue();
  }

  @Test
  void is_closed_when_the_client_disconnects() {
    openStream();
    tick(changes("mail"), 1);
    client.disconnect();

    assertThat(stream.isClosed()).isTrue();
    stream.close();
    assertThat(client.received).hasSize(1);
  }

  @Test
  void ends_the_response_on_close() {
    openStream();
    stream.close();
    stream.close();
    tick(changes("mail"), 1);

    assertThat(client.received).containsExactly("(end)");
  }

  @Test
  void aborts_a_chunk_in_flight_on_close() {
    openStream();
    tick(changes("mail"), 1);
    stream.close();

    assertThat(client.received).endsWith("(abort)");
  }

  @Test
  void ends_when_it_is_closed_before_it_opens() {
    stream.close();
    stream.open("{}");

    assertThat(client.received).containsExactly("(abort)", "(end)");
  }
}

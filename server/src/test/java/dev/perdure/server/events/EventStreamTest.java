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

  private static final ChangeHints NOTHING = new ChangeHints();

  private final Client client = new Client();
  private final EventStream stream = new EventStream(client, Duration.ZERO);

  /** Reads a piece when the test says so. */
  private static final class Client implements ResponseStream {

    final List<String> heard = new ArrayList<>();
    private final Queue<Consumer<Boolean>> onItsWay = new ArrayDeque<>();

    @Override
    public void send(byte[] piece, Consumer<Boolean> wentOut) {
      assertThat(onItsWay).as("pieces on their way").isEmpty();
      heard.add(new String(piece, StandardCharsets.UTF_8));
      onItsWay.add(wentOut);
    }

    void reads() {
      onItsWay.remove().accept(true);
    }

    void isGone() {
      onItsWay.remove().accept(false);
    }

    @Override
    public void end() {
      assertThat(onItsWay).as("pieces on their way").isEmpty();
      heard.add("(end)");
    }

    @Override
    public void abort() {
      heard.add("(cut)");
    }
  }

  private void greeted() {
    stream.open();
    client.reads();
    client.heard.clear();
  }

  private static ChangeHints news(String kind) {
    ChangeHints changeHints = new ChangeHints();
    changeHints.add(kind, new UUID(0, 1));
    return changeHints;
  }

  private void tick(ChangeHints news, double seconds) {
    stream.flush(news, Duration.ofMillis(Math.round(seconds * 1000)));
  }

  @Test
  void speaks_first_of_when_to_come_again() {
    tick(news("mail"), 0.1);
    assertThat(client.heard).isEmpty();

    stream.open();
    client.reads();
    tick(NOTHING, 0.2);

    assertThat(client.heard).hasSize(2);
    assertThat(client.heard.getFirst()).isEqualTo(": perdure\nretry: 1000\n\n");
    assertThat(client.heard.getLast()).startsWith("event: tasks\ndata: {\"kinds\":[\"mail\"]");
  }

  @Test
  void says_what_happened_while_the_client_was_busy_in_one_piece() {
    greeted();
    tick(news("mail"), 1);
    tick(news("bill"), 2);
    tick(news("ring"), 3);
    assertThat(client.heard).hasSize(1);

    client.reads();
    tick(NOTHING, 4);

    assertThat(client.heard).hasSize(2);
    assertThat(client.heard.getLast()).contains("[\"bill\",\"ring\"]");
  }

  @Test
  void says_nothing_when_nothing_happened_until_a_proxy_would_think_it_is_dead() {
    greeted();
    tick(NOTHING, 14.9);
    assertThat(client.heard).isEmpty();

    tick(NOTHING, 15);
    assertThat(client.heard).containsExactly(":\n\n");

    client.reads();
    tick(NOTHING, 29.9);
    assertThat(client.heard).hasSize(1);
    tick(NOTHING, 30);
    assertThat(client.heard).hasSize(2);
  }

  @Test
  void drops_a_client_that_does_not_read() {
    greeted();
    tick(news("mail"), 1);
    tick(news("mail"), 10.9);
    assertThat(stream.isClosed()).isFalse();

    tick(NOTHING, 11);
    tick(news("mail"), 12);

    assertThat(client.heard).hasSize(2).endsWith("(cut)");
    assertThat(stream.isClosed()).isTrue();
  }

  @Test
  void is_closed_when_the_client_has_gone() {
    greeted();
    tick(news("mail"), 1);
    client.isGone();

    assertThat(stream.isClosed()).isTrue();
    stream.close();
    assertThat(client.heard).hasSize(1);
  }

  @Test
  void ends_the_answer_when_it_is_told_to() {
    greeted();
    stream.close();
    stream.close();
    tick(news("mail"), 1);

    assertThat(client.heard).containsExactly("(end)");
  }

  @Test
  void does_not_wait_for_a_piece_on_its_way_when_it_is_told_to_end() {
    greeted();
    tick(news("mail"), 1);
    stream.close();

    assertThat(client.heard).endsWith("(cut)");
  }

  @Test
  void that_is_told_to_end_before_it_began_ends() {
    stream.close();
    stream.open();

    assertThat(client.heard).containsExactly("(cut)", "(end)");
  }
}

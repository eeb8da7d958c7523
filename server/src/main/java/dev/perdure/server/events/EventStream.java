// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import dev.perdure.server.http.Channel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * One client that watches. While a piece is on its way to it, what happens is only remembered, and
 * that takes the same few names however long it lasts: a client that reads slowly costs no memory.
 */
final class EventStream {

  /** So often something is sent, so that no proxy takes the silence for the end. */
  static final Duration HEARTBEAT = Duration.ofSeconds(15);

  /** How long a piece may take to go out. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final String GREETING = ": perdure\nretry: 1000\n\n";
  private static final String SIGN_OF_LIFE = ":\n\n";

  private final Channel channel;
  private final Hints untold = new Hints();
  private Duration spoke;

  /** From the start, so that nobody speaks before the greeting. */
  private boolean sending = true;

  private boolean closed;

  EventStream(Channel channel, Duration now) {
    this.channel = channel;
    this.spoke = now;
  }

  /** Begins; whoever was told to end meanwhile ends here. */
  synchronized void greet() {
    if (closed) {
      channel.end();
    } else {
      send(GREETING, spoke);
    }
  }

  /** Says what there is to say, if the client can hear it. */
  synchronized void tick(Hints news, Duration now) {
    untold.add(news);
    Duration silence = now.minus(spoke);
    if (closed || (sending && silence.compareTo(PATIENCE) < 0)) {
      return;
    }
    if (sending) {
      closed = true;
      channel.cut();
    } else if (!untold.isEmpty()) {
      send("event: tasks\ndata: " + untold.json() + "\n\n", now);
      untold.clear();
    } else if (silence.compareTo(HEARTBEAT) >= 0) {
      send(SIGN_OF_LIFE, now);
    }
  }

  private void send(String text, Duration now) {
    sending = true;
    spoke = now;
    channel.send(text.getBytes(StandardCharsets.UTF_8), this::sent);
  }

  private synchronized void sent(boolean wentOut) {
    sending = false;
    closed |= !wentOut;
  }

  /** Ends it, at once. */
  synchronized void end() {
    if (closed) {
      return;
    }
    closed = true;
    if (sending) {
      channel.cut();
    } else {
      channel.end();
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }
}

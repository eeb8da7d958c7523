// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import dev.perdure.server.http.ResponseStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * One client that watches. While a piece is on its way to it, what happens is only remembered, and
 * that takes the same few names however long it lasts: a client that reads slowly costs no memory.
 */
final class EventStream {

  /** So often something is sent, so that no proxy takes the silence for the end. */
  static final Duration KEEP_ALIVE_INTERVAL = Duration.ofSeconds(15);

  /** How long a piece may take to go out. */
  static final Duration WRITE_TIMEOUT = Duration.ofSeconds(10);

  private static final String PREAMBLE = ": perdure\nretry: 1000\n\n";
  private static final String KEEP_ALIVE = ":\n\n";

  private final ResponseStream responseStream;
  private final ChangeHints pending = new ChangeHints();
  private Duration lastSentAt;

  /** From the start, so that nobody speaks before the greeting. */
  private boolean sending = true;

  private boolean closed;

  EventStream(ResponseStream responseStream, Duration now) {
    this.responseStream = responseStream;
    this.lastSentAt = now;
  }

  /** Begins; whoever was told to end meanwhile ends here. */
  synchronized void open() {
    if (closed) {
      responseStream.end();
    } else {
      send(PREAMBLE, lastSentAt);
    }
  }

  /** Says what there is to say, if the client can hear it. */
  synchronized void flush(ChangeHints news, Duration now) {
    pending.add(news);
    Duration silence = now.minus(lastSentAt);
    if (closed || (sending && silence.compareTo(WRITE_TIMEOUT) < 0)) {
      return;
    }
    if (sending) {
      closed = true;
      responseStream.abort();
    } else if (!pending.isEmpty()) {
      send("event: tasks\ndata: " + pending.json() + "\n\n", now);
      pending.clear();
    } else if (silence.compareTo(KEEP_ALIVE_INTERVAL) >= 0) {
      send(KEEP_ALIVE, now);
    }
  }

  private void send(String text, Duration now) {
    sending = true;
    lastSentAt = now;
    responseStream.send(text.getBytes(StandardCharsets.UTF_8), this::sent);
  }

  private synchronized void sent(boolean wentOut) {
    sending = false;
    closed |= !wentOut;
  }

  /** Ends it, at once. */
  synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (sending) {
      responseStream.abort();
    } else {
      responseStream.end();
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }
}

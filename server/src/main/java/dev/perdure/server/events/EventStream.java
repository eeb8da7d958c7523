// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import dev.perdure.server.http.ResponseStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * One client of {@code /events}. While a chunk is being sent, changes are merged into one pending
 * hint of bounded size, so that a client that reads slowly costs no memory.
 */
final class EventStream {

  /** How often an idle stream sends a comment, so that proxies keep the connection open. */
  static final Duration KEEP_ALIVE_INTERVAL = Duration.ofSeconds(15);

  /** How long sending one chunk may take before the connection is closed. */
  static final Duration WRITE_TIMEOUT = Duration.ofSeconds(10);

  private static final String PREAMBLE = ": perdure\nretry: 1000\n\n";
  private static final String KEEP_ALIVE = ":\n\n";

  private final ResponseStream responseStream;
  private final ChangeHints pending = new ChangeHints();
  private Duration lastSentAt;

  /** True from the start, so that nothing is sent before the preamble. */
  private boolean sending = true;

  private boolean closed;

  EventStream(ResponseStream responseStream, Duration now) {
    this.responseStream = responseStream;
    this.lastSentAt = now;
  }

  /**
   * Sends the preamble, or ends the stream if it was closed meanwhile.
   *
   * @param hello the data of the first event
   */
  synchronized void open(String hello) {
    if (closed) {
      responseStream.end();
    } else {
      send(PREAMBLE + ChangeHints.event("hello", hello), lastSentAt);
    }
  }

  /** Sends the pending changes, unless a chunk is still being sent. */
  synchronized void flush(ChangeHints changes, Duration now) {
    pending.add(changes);
    Duration silence = now.minus(lastSentAt);
    if (closed || (sending && silence.compareTo(WRITE_TIMEOUT) < 0)) {
      return;
    }
    if (sending) {
      closed = true;
      responseStream.abort();
    } else if (!pending.isEmpty()) {
      send(pending.events(), now);
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

  private synchronized void sent(boolean success) {
    sending = false;
    closed |= !success;
  }

  /** Ends the stream at once. */
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

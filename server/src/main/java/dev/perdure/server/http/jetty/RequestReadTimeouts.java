// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.eclipse.jetty.io.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections whose request takes too long to arrive. An idle timeout does not help against
 * a client that sends a byte now and then, because each byte resets it.
 */
final class RequestReadTimeouts implements Connection.Listener {

  private final Duration limit;
  private final Supplier<Duration> clock;
  private final Map<Connection, Arrival> arrivals = new ConcurrentHashMap<>();

  RequestReadTimeouts(Duration limit, Supplier<Duration> clock) {
    this.limit = limit;
    this.clock = clock;
  }

  @Override
  public void onOpened(Connection connection) {
    arrivals.put(connection, new Arrival());
  }

  @Override
  public void onClosed(Connection connection) {
    arrivals.remove(connection);
  }

  /** The whole request has arrived; the response may take any time. */
  void arrived(Connection connection) {
    Arrival arrival = arrivals.get(connection);
    if (arrival != null) {
      arrival.arrived();
    }
  }

  /** The response was sent; the next request may arrive. */
  void answered(Connection connection) {
    Arrival arrival = arrivals.get(connection);
    if (arrival != null) {
      arrival.answered(connection.getBytesIn());
    }
  }

  /** Checks every connection once. */
  void sweep() {
    Duration now = clock.get();
    arrivals.forEach(
        (connection, arrival) -> {
          if (arrival.isLate(connection.getBytesIn(), now, limit)) {
            // The end point, because the connection would first respond to the partial request.
            connection
                .getEndPoint()
                .close(new TimeoutException("the request took too long to arrive"));
          }
        });
  }

  /** How much of a connection's next request has arrived. */
  private static final class Arrival {

    private boolean complete;
    private long bytesBefore;
    private @Nullable Duration since;

    synchronized void arrived() {
      complete = true;
      since = null;
    }

    synchronized void answered(long bytes) {
      complete = false;
      since = null;
      bytesBefore = bytes;
    }

    synchronized boolean isLate(long bytes, Duration now, Duration limit) {
      if (complete || bytes == bytesBefore) {
        return false;
      }
      if (since == null) {
        since = now;
      }
      return now.minus(since).compareTo(limit) > 0;
    }
  }
}

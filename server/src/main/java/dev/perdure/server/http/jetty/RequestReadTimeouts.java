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
 * a client that sends a byte now and then: each byte is a sign of life.
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

  /** The request has arrived whole; its answer may take as long as it likes. */
  void arrived(Connection connection) {
    Arrival arrival = arrivals.get(connection);
    if (arrival != null) {
      arrival.arrived();
    }
  }

  /** The request was answered; the next one may come. */
  void answered(Connection connection) {
    Arrival arrival = arrivals.get(connection);
    if (arrival != null) {
      arrival.answered(connection.getBytesIn());
    }
  }

  /** Looks at every connection once. */
  void sweep() {
    Duration now = clock.get();
    arrivals.forEach(
        (connection, arrival) -> {
          if (arrival.isLate(connection.getBytesIn(), now, limit)) {
            // The end point and not the connection, which would first answer half a request.
            connection.getEndPoint().close(new TimeoutException("the request is too slow"));
          }
        });
  }

  /** How far the next request of a connection has come. */
  private static final class Arrival {

    private boolean whole;
    private long bytesBefore;
    private @Nullable Duration since;

    synchronized void arrived() {
      whole = true;
      since = null;
    }

    synchronized void answered(long bytes) {
      whole = false;
      since = null;
      bytesBefore = bytes;
    }

    synchronized boolean isLate(long bytes, Duration now, Duration limit) {
      if (whole || bytes == bytesBefore) {
        return false;
      }
      if (since == null) {
        since = now;
      }
      return now.minus(since).compareTo(limit) > 0;
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import dev.perdure.engine.EngineListener;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.server.http.CallerAuthenticator;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.http.ResponseStream;
import dev.perdure.server.http.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everybody who watches. What the engine of this node does is told with its names; of what other
 * nodes do only the wake-ups are heard, and {@link EventStreamTicker} makes up for the rest.
 * Nothing is stored: who was away asks for what there is. Safe to share.
 *
 * <p>Whoever changes a task only notes a name; {@link #flush} sends what was noted.
 */
public final class EventStreams implements EngineListener, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);

  private final int maxStreams;
  private final CallerAuthenticator authenticator;
  private final Supplier<Duration> clock;

  /** Each with whether its client may still watch. */
  private final Map<EventStream, BooleanSupplier> streams = new LinkedHashMap<>();

  private final ChangeHints pending = new ChangeHints();
  private boolean closed;

  /**
   * @param most so many streams at once
   * @param callerAuthenticator know who may still watch
   * @param clock time that never goes back
   */
  public EventStreams(int most, CallerAuthenticator callerAuthenticator, Supplier<Duration> clock) {
    this.maxStreams = most;
    this.authenticator = callerAuthenticator;
    this.clock = clock;
  }

  /** Answers with a stream. */
  public Response watch(Request request) {
    if (!hasCapacity()) {
      throw HttpProblemException.unavailable(
          "%d streams of events are open, as many as are allowed, or the server is stopping"
              .formatted(maxStreams));
    }
    // Without the header some proxies collect an answer until it is whole, which this never is.
    BooleanSupplier welcome = () -> mayWatch(request.headers());
    return Response.streaming("text/event-stream", responseStream -> add(responseStream, welcome))
        .withHeader("X-Accel-Buffering", "no");
  }

  private boolean mayWatch(Headers headers) {
    try {
      return authenticator.authenticate(headers).may(Role.READ);
    } catch (HttpProblemException refused) {
      return false;
    }
  }

  private synchronized boolean hasCapacity() {
    streams.keySet().removeIf(EventStream::isClosed);
    return !closed && streams.size() < maxStreams;
  }

  /** Several may have found the last place free. */
  private void add(ResponseStream responseStream, BooleanSupplier mayWatch) {
    EventStream stream = new EventStream(responseStream, clock.get());
    boolean welcome;
    synchronized (this) {
      welcome = hasCapacity();
      if (welcome) {
        streams.put(stream, mayWatch);
      }
    }
    if (welcome) {
      stream.open();
    } else {
      responseStream.end();
    }
  }

  synchronized boolean hasStreams() {
    return !streams.isEmpty();
  }

  /** Something may have changed, and nobody knows what. */
  public synchronized void markAllChanged() {
    if (!streams.isEmpty()) {
      pending.addUnknownChange();
    }
  }

  private synchronized void markChanged(Task task) {
    if (!streams.isEmpty()) {
      pending.add(task.definition().kind(), task.batch());
    }
  }

  @Override
  public void onSubmitted(int tasks) {
    markAllChanged();
  }

  @Override
  public void onStarted(Lease lease, Instant now) {
    markChanged(lease.task());
  }

  @Override
  public void onChanged(Task before, TaskChange taskChange, Duration ran) {
    markChanged(before);
  }

  /** What is told to others is no task: only who watches deliveries need look. */
  @Override
  public synchronized void onDeliveryAttempted(
      String trigger, DeliveryOutcome outcome, Duration took) {
    if (!streams.isEmpty()) {
      pending.addDelivery();
    }
  }

  /** Tells everybody what was noted since the last time. */
  void flush() {
    ChangeHints told = new ChangeHints();
    List<EventStream> all;
    synchronized (this) {
      streams.keySet().removeIf(EventStream::isClosed);
      all = List.copyOf(streams.keySet());
      told.add(pending);
      pending.clear();
    }
    Duration now = clock.get();
    all.forEach(stream -> flush(stream, told, now));
  }

  /** Whatever is wrong with one of them, the others hear what was noted. */
  private static void flush(EventStream stream, ChangeHints told, Duration now) {
    try {
      stream.flush(told, now);
    } catch (RuntimeException e) {
      LOG.warn("a stream of events ends, since nothing can be told there", e);
      stream.close();
    }
  }

  /** Ends the streams of those whose key was revoked or has expired since they began. */
  void closeUnauthorized() {
    Map<EventStream, BooleanSupplier> all;
    synchronized (this) {
      all = Map.copyOf(streams);
    }
    all.forEach(
        (stream, mayWatch) -> {
          if (!mayWatch.getAsBoolean()) {
            stream.close();
          }
        });
  }

  /** Ends every stream, and lets none begin. */
  @Override
  public void close() {
    List<EventStream> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(streams.keySet());
      streams.clear();
    }
    all.forEach(EventStream::close);
  }
}

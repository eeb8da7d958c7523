// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import dev.perdure.engine.DeliveryOutcome;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.store.Lease;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Task;
import dev.perdure.server.http.Callers;
import dev.perdure.server.http.Channel;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
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
 * nodes do only the wake-ups are heard, and {@link Pulse} makes up for the rest. Nothing is stored:
 * who was away asks for what there is. Safe to share.
 *
 * <p>Whoever changes a task only notes a name; {@link #tick} sends what was noted.
 */
public final class EventStreams implements EngineListener, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);

  private final int most;
  private final Callers callers;
  private final Supplier<Duration> clock;

  /** Each with whether its client may still watch. */
  private final Map<EventStream, BooleanSupplier> streams = new LinkedHashMap<>();

  private final Hints news = new Hints();
  private boolean closed;

  /**
   * @param most so many streams at once
   * @param callers know who may still watch
   * @param clock time that never goes back
   */
  public EventStreams(int most, Callers callers, Supplier<Duration> clock) {
    this.most = most;
    this.callers = callers;
    this.clock = clock;
  }

  /** Answers with a stream. */
  public Response watch(Request request) {
    if (!hasRoom()) {
      throw RefusedException.unavailable(
          "%d streams of events are open, as many as are allowed, or the server is stopping"
              .formatted(most));
    }
    // Without the header some proxies collect an answer until it is whole, which this never is.
    BooleanSupplier welcome = () -> mayWatch(request.headers());
    return Response.feed("text/event-stream", channel -> add(channel, welcome))
        .with("X-Accel-Buffering", "no");
  }

  private boolean mayWatch(Headers headers) {
    try {
      return callers.of(headers).may(Role.READ);
    } catch (RefusedException refused) {
      return false;
    }
  }

  private synchronized boolean hasRoom() {
    streams.keySet().removeIf(EventStream::isClosed);
    return !closed && streams.size() < most;
  }

  /** Several may have found the last place free. */
  private void add(Channel channel, BooleanSupplier mayWatch) {
    EventStream stream = new EventStream(channel, clock.get());
    boolean welcome;
    synchronized (this) {
      welcome = hasRoom();
      if (welcome) {
        streams.put(stream, mayWatch);
      }
    }
    if (welcome) {
      stream.greet();
    } else {
      channel.end();
    }
  }

  synchronized boolean isWatched() {
    return !streams.isEmpty();
  }

  /** Something may have changed, and nobody knows what. */
  public synchronized void noteAnything() {
    if (!streams.isEmpty()) {
      news.addAnything();
    }
  }

  private synchronized void note(Task task) {
    if (!streams.isEmpty()) {
      news.add(task.definition().kind(), task.batch());
    }
  }

  @Override
  public void onSubmitted(int tasks) {
    noteAnything();
  }

  @Override
  public void onStarted(Lease lease, Instant now) {
    note(lease.task());
  }

  @Override
  public void onChanged(Task before, Change change, Duration ran) {
    note(before);
  }

  /** What is told to others is no task: only who watches deliveries need look. */
  @Override
  public synchronized void onDelivered(String trigger, DeliveryOutcome outcome, Duration took) {
    if (!streams.isEmpty()) {
      news.addDelivery();
    }
  }

  /** Tells everybody what was noted since the last time. */
  void tick() {
    Hints told = new Hints();
    List<EventStream> all;
    synchronized (this) {
      streams.keySet().removeIf(EventStream::isClosed);
      all = List.copyOf(streams.keySet());
      told.add(news);
      news.clear();
    }
    Duration now = clock.get();
    all.forEach(stream -> tick(stream, told, now));
  }

  /** Whatever is wrong with one of them, the others hear what was noted. */
  private static void tick(EventStream stream, Hints told, Duration now) {
    try {
      stream.tick(told, now);
    } catch (RuntimeException e) {
      LOG.warn("a stream of events ends, since nothing can be told there", e);
      stream.end();
    }
  }

  /** Ends the streams of those whose key was revoked or has expired since they began. */
  void review() {
    Map<EventStream, BooleanSupplier> all;
    synchronized (this) {
      all = Map.copyOf(streams);
    }
    all.forEach(
        (stream, mayWatch) -> {
          if (!mayWatch.getAsBoolean()) {
            stream.end();
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
    all.forEach(EventStream::end);
  }
}

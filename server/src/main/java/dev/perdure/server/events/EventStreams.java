// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import dev.perdure.engine.EngineListener;
import dev.perdure.engine.schedule.FiringProblem;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.server.http.CallerAuthenticator;
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
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients of {@code /events}. Changes made by this node's engine are reported by name. Of other
 * nodes it is only known that they changed something; see {@link EventStreamTicker}. Nothing is
 * stored for clients: after a disconnect they fetch the current state. Thread-safe.
 *
 * <p>A change of a task only adds names to a pending hint; {@link #flush} sends it.
 */
public final class EventStreams implements EngineListener, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);

  private final int maxStreams;
  private final CallerAuthenticator authenticator;
  private final Supplier<Duration> clock;
  private final Supplier<String> hello;

  /** The open streams, each with a check whether its client may still watch. */
  private final Map<EventStream, BooleanSupplier> streams = new LinkedHashMap<>();

  private final ChangeHints pending = new ChangeHints();
  private boolean closed;

  /**
   * @param maxStreams how many streams may be open at once
   * @param authenticator checks again and again whether a client may still watch
   * @param clock a monotonic clock
   * @param hello the data of the first event of a stream, as JSON
   */
  public EventStreams(
      int maxStreams,
      CallerAuthenticator authenticator,
      Supplier<Duration> clock,
      Supplier<String> hello) {
    this.hello = hello;
    this.maxStreams = maxStreams;
    this.authenticator = authenticator;
    this.clock = clock;
  }

  /** Responds with an event stream. */
  public Response watch(Request request) {
    if (!hasCapacity()) {
      throw HttpProblemException.unavailable(
          "all %d event streams are in use, or the server is stopping".formatted(maxStreams));
    }
    BooleanSupplier mayWatch = () -> mayWatch(request);
    // Without the header some proxies buffer a response until it is complete.
    return Response.streaming("text/event-stream", responseStream -> add(responseStream, mayWatch))
        .withHeader("X-Accel-Buffering", "no");
  }

  private boolean mayWatch(Request request) {
    try {
      return authenticator.authenticate(request).may(Role.READ);
    } catch (HttpProblemException refused) {
      return false;
    }
  }

  private synchronized boolean hasCapacity() {
    streams.keySet().removeIf(EventStream::isClosed);
    return !closed && streams.size() < maxStreams;
  }

  /** Checks the capacity again: several requests may have seen the last free stream. */
  private void add(ResponseStream responseStream, BooleanSupplier mayWatch) {
    EventStream stream = new EventStream(responseStream, clock.get());
    boolean accepted;
    synchronized (this) {
      accepted = hasCapacity();
      if (accepted) {
        streams.put(stream, mayWatch);
      }
    }
    if (accepted) {
      stream.open(hello.get());
    } else {
      responseStream.end();
    }
  }

  synchronized boolean hasStreams() {
    return !streams.isEmpty();
  }

  /** Some tasks may have changed, but it is not known which. */
  synchronized void markAllChanged() {
    if (!streams.isEmpty()) {
      pending.addUnknownChange();
      pending.addBatch(null);
    }
  }

  /** Another node may have changed anything. */
  public synchronized void markOthersChanged() {
    if (!streams.isEmpty()) {
      markAllChanged();
      pending.addDelivery();
      pending.addSchedules();
    }
  }

  /** Nodes have joined or left. */
  synchronized void markNodesChanged() {
    if (!streams.isEmpty()) {
      pending.addNodes();
    }
  }

  private synchronized void markChanged(Task task, boolean ended) {
    if (!streams.isEmpty()) {
      pending.add(task);
      if (ended) {
        pending.addBatch(task.batch());
      }
    }
  }

  @Override
  public synchronized void onBatchEnded(UUID batch, BatchOutcome outcome) {
    if (!streams.isEmpty()) {
      pending.addBatch(batch);
    }
  }

  @Override
  public synchronized void onSchedulesChanged() {
    if (!streams.isEmpty()) {
      pending.addSchedules();
    }
  }

  @Override
  public void onFiringFailed(List<FiringProblem> problems) {
    onSchedulesChanged();
  }

  @Override
  public void onSubmitted(int tasks) {
    markAllChanged();
  }

  @Override
  public void onStarted(Lease lease, Instant now) {
    markChanged(lease.task(), false);
  }

  @Override
  public void onChanged(Task before, TaskChange taskChange, Duration ran) {
    markChanged(before, taskChange.to().isTerminal() != before.state().isTerminal());
  }

  /** A delivery changes no task: only clients that show deliveries need to fetch again. */
  @Override
  public synchronized void onDeliveryAttempted(
      String trigger, DeliveryOutcome outcome, Duration took) {
    if (!streams.isEmpty()) {
      pending.addDelivery();
    }
  }

  /** Sends all changes since the last flush to every client. */
  void flush() {
    ChangeHints changes = new ChangeHints();
    List<EventStream> all;
    synchronized (this) {
      streams.keySet().removeIf(EventStream::isClosed);
      all = List.copyOf(streams.keySet());
      changes.add(pending);
      pending.clear();
    }
    Duration now = clock.get();
    all.forEach(stream -> flush(stream, changes, now));
  }

  /** An error of one stream must not keep the changes from the others. */
  private static void flush(EventStream stream, ChangeHints changes, Duration now) {
    try {
      stream.flush(changes, now);
    } catch (RuntimeException e) {
      LOG.warn("an event stream failed and is closed", e);
      stream.close();
    }
  }

  /** Ends the streams of clients whose key or session has ended. */
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

  /** Ends all streams and refuses new ones. */
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

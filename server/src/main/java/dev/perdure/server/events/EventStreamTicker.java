// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the event streams: sends pending changes a few times a second and passes on wake-ups of
 * the store. Other nodes send wake-ups for new work, but not when they start or end a task. While
 * there are other nodes, clients therefore get an event for unknown changes every few seconds. At
 * the same interval the streams of clients whose key is no longer valid are closed.
 */
public final class EventStreamTicker implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EventStreamTicker.class);

  private static final Duration FLUSH_INTERVAL = Duration.ofMillis(250);
  private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(5);

  private final EventStreams streams;
  private final TaskStore store;
  private final TaskStore.Subscription storeListener;

  /** Two threads, because a call of the store may block one. */
  private final ScheduledExecutorService threads =
      Executors.newScheduledThreadPool(2, Thread.ofVirtual().name("events-", 0).factory());

  private EventStreamTicker(EventStreams streams, TaskStore store) {
    this.streams = streams;
    this.store = store;
    this.storeListener = store.listen(streams::markAllChanged);
  }

  /**
   * Starts the threads.
   *
   * @param periodicWork also runs every few seconds
   */
  public static EventStreamTicker start(
      EventStreams streams, TaskStore store, Runnable periodicWork) {
    EventStreamTicker ticker = new EventStreamTicker(streams, store);
    ticker.scheduleEvery(FLUSH_INTERVAL, streams::flush);
    ticker.scheduleEvery(REFRESH_INTERVAL, ticker::refresh);
    ticker.scheduleEvery(REFRESH_INTERVAL, periodicWork);
    return ticker;
  }

  private void scheduleEvery(Duration period, Runnable action) {
    long millis = period.toMillis();
    ScheduledFuture<?> unused =
        threads.scheduleWithFixedDelay(
            () -> runLoggingErrors(action), millis, millis, TimeUnit.MILLISECONDS);
  }

  /** The executor would never run an action again after it threw. */
  private static void runLoggingErrors(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      LOG.warn("periodic work of the event streams failed", e);
    }
  }

  void refresh() {
    try {
      streams.closeUnauthorized();
      if (streams.hasStreams() && store.nodes().alive().size() > 1) {
        streams.markAllChanged();
      }
    } catch (StoreException e) {
      LOG.debug("event streams could not be refreshed: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    storeListener.close();
  }
}

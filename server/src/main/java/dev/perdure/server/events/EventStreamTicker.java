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
 * Drives the streams: tells the news a few times a second, passes on the store's wake-ups, and
 * makes up for what is not heard. Other nodes wake everybody when there is work, but not when they
 * begin or end some; while there are any, watchers are told now and then to look again. At the same
 * time it is seen to that they may still watch.
 */
public final class EventStreamTicker implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EventStreamTicker.class);

  private static final Duration FLUSH_INTERVAL = Duration.ofMillis(250);
  private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(5);

  private final EventStreams streams;
  private final TaskStore store;
  private final TaskStore.Subscription storeListener;

  /** Two threads, since the store may keep one waiting. */
  private final ScheduledExecutorService threads =
      Executors.newScheduledThreadPool(2, Thread.ofVirtual().name("events-", 0).factory());

  private EventStreamTicker(EventStreams streams, TaskStore store) {
    this.streams = streams;
    this.store = store;
    this.storeListener = store.listen(streams::markAllChanged);
  }

  /**
   * Begins to look and to tell.
   *
   * @param besides what else is to be done every few seconds
   */
  public static EventStreamTicker start(EventStreams streams, TaskStore store, Runnable besides) {
    EventStreamTicker eventStreamTicker = new EventStreamTicker(streams, store);
    eventStreamTicker.scheduleEvery(FLUSH_INTERVAL, streams::flush);
    eventStreamTicker.scheduleEvery(REFRESH_INTERVAL, eventStreamTicker::refresh);
    eventStreamTicker.scheduleEvery(REFRESH_INTERVAL, besides);
    return eventStreamTicker;
  }

  private void scheduleEvery(Duration period, Runnable action) {
    long millis = period.toMillis();
    ScheduledFuture<?> unused =
        threads.scheduleWithFixedDelay(
            () -> runLoggingErrors(action), millis, millis, TimeUnit.MILLISECONDS);
  }

  /** The executor would never call again what threw once. */
  private static void runLoggingErrors(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      LOG.warn("what is done now and then could not be done", e);
    }
  }

  void refresh() {
    try {
      streams.closeUnauthorized();
      if (streams.hasStreams() && store.nodes().alive().size() > 1) {
        streams.markAllChanged();
      }
    } catch (StoreException e) {
      LOG.debug("who watches and who else works on the store is not known: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    storeListener.close();
  }
}

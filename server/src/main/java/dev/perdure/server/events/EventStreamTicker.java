// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the event streams: sends pending changes a few times a second, and passes on what the
 * store hears of other nodes: wake-ups for new work, and at most once a second from each node that
 * it changed tasks. A notification can be lost, so while there are other nodes, clients also get an
 * event for unknown changes every few seconds. At the same interval the list of nodes is compared,
 * and the streams of clients whose key is no longer valid are closed.
 */
public final class EventStreamTicker implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EventStreamTicker.class);

  private static final Duration FLUSH_INTERVAL = Duration.ofMillis(250);
  private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(5);

  private final EventStreams streams;
  private final TaskStore store;
  private final TaskStore.Subscription storeListener;
  private final TaskStore.Subscription changeListener;
  private Set<UUID> knownNodes = Set.of();

  /** Two threads, because a call of the store may block one. */
  private final ScheduledExecutorService threads =
      Executors.newScheduledThreadPool(2, Thread.ofVirtual().name("events-", 0).factory());

  private EventStreamTicker(EventStreams streams, TaskStore store) {
    this.streams = streams;
    this.store = store;
    this.storeListener = store.listen(streams::markAllChanged);
    this.changeListener = store.listenForChanges(streams::markOthersChanged);
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
      if (streams.hasStreams()) {
        compareNodes();
      }
    } catch (StoreException e) {
      LOG.debug("event streams could not be refreshed: {}", e.getMessage());
    }
  }

  private void compareNodes() {
    Set<UUID> alive =
        store.nodes().alive().stream().map(RegisteredNode::id).collect(Collectors.toSet());
    if (!alive.equals(knownNodes)) {
      knownNodes = alive;
      streams.markNodesChanged();
    }
    if (alive.size() > 1) {
      streams.markOthersChanged();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    storeListener.close();
    changeListener.close();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.spi.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a row of the store twice a second, so that a request need not wait to learn that the store
 * is away: the store itself waits out an outage. Thread-safe.
 */
public final class StoreProbe implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofMillis(500);

  /** A read that takes longer means that the store is away. */
  static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static final UUID NO_TASK = new UUID(0, 0);

  private final TaskStore store;
  private final InstantSource clock;
  private final Supplier<Duration> monotonic;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("store-probe").daemon().factory());
  private BooleanSupplier writable = () -> true;
  private boolean wasWritable;
  private @Nullable Instant notWritableSince;
  private boolean failed;
  private @Nullable Duration readingSince;
  private Instant readAt;

  /**
   * The store cannot be used.
   *
   * @param readable whether it can at least be read
   */
  record Outage(Instant since, boolean readable) {}

  /**
   * @param monotonic a monotonic clock
   */
  StoreProbe(TaskStore store, InstantSource clock, Supplier<Duration> monotonic) {
    this.store = store;
    this.clock = clock;
    this.monotonic = monotonic;
    this.readAt = clock.instant();
  }

  /** Starts a thread that probes the store until it is closed. */
  public static StoreProbe start(
      TaskStore store, InstantSource clock, Supplier<Duration> monotonic) {
    StoreProbe probe = new StoreProbe(store, clock, monotonic);
    ScheduledFuture<?> unused =
        probe.thread.scheduleWithFixedDelay(
            probe::probe, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    return probe;
  }

  /** Also asks whether the store could be written to lately. */
  synchronized void checkWrites(BooleanSupplier recentlyWritten) {
    writable = recentlyWritten;
  }

  /** Reads the store once. */
  void probe() {
    begin();
    boolean answered = false;
    try {
      store.reader().find(NO_TASK);
      answered = true;
    } catch (RuntimeException | Error unavailable) {
      // Told by end(). The executor would never probe again after an exception or an error.
    } finally {
      end(answered);
    }
  }

  private synchronized void begin() {
    readingSince = monotonic.get();
  }

  private synchronized void end(boolean answered) {
    readingSince = null;
    failed = !answered;
    readAt = answered ? clock.instant() : readAt;
  }

  /** Whether the store is known not to answer. */
  public synchronized boolean isAway() {
    Duration since = readingSince;
    return failed || (since != null && monotonic.get().minus(since).compareTo(TIMEOUT) > 0);
  }

  /** Why the store cannot be used, or null if it can. */
  synchronized @Nullable Outage outage() {
    boolean writes = writable.getAsBoolean();
    // A node that has just started has not written yet.
    wasWritable |= writes;
    if (writes || !wasWritable) {
      notWritableSince = null;
    } else if (notWritableSince == null) {
      notWritableSince = clock.instant();
    }
    if (isAway()) {
      return new Outage(readAt, false);
    }
    Instant since = notWritableSince;
    return since == null ? null : new Outage(since, true);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}

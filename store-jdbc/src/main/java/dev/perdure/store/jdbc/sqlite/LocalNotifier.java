// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.TaskStore.Subscription;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes the listeners of all stores in this process that share a file. It does not reach other
 * processes, because SQLite has no notifications; they find work by polling.
 */
final class LocalNotifier implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LocalNotifier.class);
  private static final Map<Path, LocalNotifier> BY_FILE = new HashMap<>();

  private final Path file;
  private final Set<WakeListener> listeners = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean notifyPending = new AtomicBoolean();
  private int openStores;

  private LocalNotifier(Path file) {
    this.file = file;
  }

  /** Returns the notifier of this file. Each store must close it once. */
  static LocalNotifier of(Path file) {
    synchronized (BY_FILE) {
      LocalNotifier notifier = BY_FILE.computeIfAbsent(file, LocalNotifier::new);
      notifier.openStores++;
      return notifier;
    }
  }

  Subscription listen(Runnable wake) {
    WakeListener listener = new WakeListener(wake);
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** Wakes the listeners soon, on another thread. Calls made before they run are merged. */
  void notifyListeners() {
    if (!listeners.isEmpty() && notifyPending.compareAndSet(false, true)) {
      Thread.ofVirtual().name("perdure-notifier").start(this::runListeners);
    }
  }

  @Override
  public void close() {
    synchronized (BY_FILE) {
      openStores--;
      if (openStores == 0) {
        BY_FILE.remove(file);
      }
    }
  }

  private void runListeners() {
    // Cleared before the listeners run, so that a later write wakes them again.
    notifyPending.set(false);
    for (WakeListener listener : listeners) {
      try {
        listener.wake.run();
      } catch (RuntimeException e) {
        LOG.warn("a wake listener of {} failed", file, e);
      }
    }
  }

  /** Gives each subscription its own identity, because two subscriptions can share a runnable. */
  private static final class WakeListener {

    private final Runnable wake;

    WakeListener(Runnable wake) {
      this.wake = wake;
    }
  }
}

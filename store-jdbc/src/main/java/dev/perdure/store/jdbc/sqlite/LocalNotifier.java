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
 * Wakes whoever listens to a file in this process, through whichever store. Other processes are not
 * reached: SQLite has no way to tell them, and they find work by looking.
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

  /** The bell of this file; every store of the file closes it once. */
  static LocalNotifier of(Path file) {
    synchronized (BY_FILE) {
      LocalNotifier localNotifier = BY_FILE.computeIfAbsent(file, LocalNotifier::new);
      localNotifier.openStores++;
      return localNotifier;
    }
  }

  Subscription listen(Runnable wake) {
    WakeListener wakeListener = new WakeListener(wake);
    listeners.add(wakeListener);
    return () -> listeners.remove(wakeListener);
  }

  /** Rings soon; many calls before it does ring once. */
  void notifyListeners() {
    if (!listeners.isEmpty() && notifyPending.compareAndSet(false, true)) {
      Thread.ofVirtual().name("perdure-wake").start(this::runListeners);
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
    // Before anybody is told: what is written from here on deserves a ring of its own.
    notifyPending.set(false);
    for (WakeListener wakeListener : listeners) {
      try {
        wakeListener.wake.run();
      } catch (RuntimeException e) {
        LOG.warn("a listener to {} failed", file, e);
      }
    }
  }

  /** One listener, told apart from another that runs the same code. */
  private static final class WakeListener {

    private final Runnable wake;

    WakeListener(Runnable wake) {
      this.wake = wake;
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.store.TaskStore.Listening;
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
final class Bell implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Bell.class);
  private static final Map<Path, Bell> BELLS = new HashMap<>();

  private final Path file;
  private final Set<Ear> ears = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean rung = new AtomicBoolean();
  private int stores;

  private Bell(Path file) {
    this.file = file;
  }

  /** The bell of this file; every store of the file closes it once. */
  static Bell of(Path file) {
    synchronized (BELLS) {
      Bell bell = BELLS.computeIfAbsent(file, Bell::new);
      bell.stores++;
      return bell;
    }
  }

  Listening listen(Runnable wake) {
    Ear ear = new Ear(wake);
    ears.add(ear);
    return () -> ears.remove(ear);
  }

  /** Rings soon; many calls before it does ring once. */
  void ring() {
    if (!ears.isEmpty() && rung.compareAndSet(false, true)) {
      Thread.ofVirtual().name("perdure-wake").start(this::sound);
    }
  }

  @Override
  public void close() {
    synchronized (BELLS) {
      stores--;
      if (stores == 0) {
        BELLS.remove(file);
      }
    }
  }

  private void sound() {
    // Before anybody is told: what is written from here on deserves a ring of its own.
    rung.set(false);
    for (Ear ear : ears) {
      try {
        ear.wake.run();
      } catch (RuntimeException e) {
        LOG.warn("a listener to {} failed", file, e);
      }
    }
  }

  /** One listener, told apart from another that runs the same code. */
  private static final class Ear {

    private final Runnable wake;

    Ear(Runnable wake) {
      this.wake = wake;
    }
  }
}

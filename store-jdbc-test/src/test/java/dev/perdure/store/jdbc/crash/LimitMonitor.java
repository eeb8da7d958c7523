// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads the tables of limits again and again while processes come and go: what is in use must agree
 * with the tasks that run at every moment, also right after a crash.
 */
final class LimitMonitor implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final String jdbcUrl;
  private final Set<String> violations = new LinkedHashSet<>();
  private final Map<String, Instant> lastHeldBy = new HashMap<>();
  private final Thread thread;
  private volatile boolean stopped;
  private int reads;

  private LimitMonitor(String jdbcUrl) {
    this.jdbcUrl = jdbcUrl;
    this.thread = Thread.ofPlatform().name("limit-monitor").unstarted(this::run);
  }

  static LimitMonitor start(String jdbcUrl) {
    LimitMonitor monitor = new LimitMonitor(jdbcUrl);
    monitor.thread.start();
    return monitor;
  }

  private void run() {
    while (!stopped) {
      Instant before = Instant.now();
      try {
        add(before, LimitSnapshot.read(jdbcUrl));
      } catch (SQLException e) {
        add("the tables could not be read: " + e);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** Adds what was read at this time, or later. */
  synchronized void add(Instant at, LimitSnapshot snapshot) {
    reads++;
    violations.addAll(snapshot.violations());
    snapshot.tasksByWorker().keySet().forEach(worker -> lastHeldBy.put(worker, at));
  }

  synchronized void add(String violation) {
    violations.add(violation);
  }

  synchronized int reads() {
    return reads;
  }

  synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  /** Returns the processes that still held places when they had been dead for longer than this. */
  synchronized List<String> freedLate(List<WorkerRun> runs, Duration limit) {
    List<String> late = new ArrayList<>();
    for (WorkerRun run : runs) {
      Instant killedAt = run.killedAt();
      Instant last = lastHeldBy.get(run.name());
      if (killedAt != null && last != null && last.isAfter(killedAt.plus(limit))) {
        late.add(run + " still held places at " + last);
      }
    }
    return late;
  }

  @Override
  public void close() {
    stopped = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

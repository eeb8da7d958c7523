// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.engine.task.StoreException;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.AuditLog;
import dev.perdure.server.http.Caller;
import dev.perdure.store.jdbc.access.AuditStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what operators did, before they get their answer: whoever writes takes all that
 * waits, and the others wait for him. What the store does not take now is kept, so many at most,
 * and written later with the time at which it was done; what cannot be kept is told to the log in
 * full.
 */
public final class BufferedAuditLog implements AuditLog, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BufferedAuditLog.class);
  private static final int MAX_PENDING = 1_000;

  /** A store that hangs must not hold up every operator for as long as it does. */
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(30);

  private final AuditStore trail;
  private final int maxEntries;
  private final Supplier<Duration> clock;
  private final RandomGenerator random;
  private final Deque<PendingEntry> pending = new ArrayDeque<>();
  private final ReentrantLock writeLock = new ReentrantLock();

  /**
   * A deed that is not written yet.
   *
   * @param id by which it is written once, though its answer may be lost
   * @param at by the monotonic clock
   */
  private record PendingEntry(UUID id, AuditStore.NewAuditEntry entry, Duration at) {}

  /**
   * @param kept how many entries the store keeps
   * @param clock time that never goes back
   */
  public BufferedAuditLog(
      AuditStore trail, int kept, Supplier<Duration> clock, RandomGenerator random) {
    this.trail = trail;
    this.maxEntries = kept;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public void record(Caller caller, AuditEntry auditEntry) {
    String detail = auditEntry.detail() == null ? null : auditEntry.detail().toString();
    AuditStore.NewAuditEntry told =
        new AuditStore.NewAuditEntry(
            caller.name(), caller.keyId(), auditEntry.action(), auditEntry.subject(), detail);
    add(new PendingEntry(new UUID(random.nextLong(), random.nextLong()), told, clock.get()));
    flush();
  }

  /**
   * Entries, newest first.
   *
   * @param before only those with smaller numbers
   * @param subject only what was done to this; null for all
   */
  public List<AuditStore.StoredAuditEntry> list(long before, @Nullable String subject, int limit) {
    return trail.list(before, subject, limit);
  }

  /** Writes what still waits; called now and then, since nobody may do anything for long. */
  public void flush() {
    try {
      if (!writeLock.tryLock(LOCK_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("the audit is not written yet after {} s", LOCK_TIMEOUT.toSeconds());
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    try {
      append(drain());
    } finally {
      writeLock.unlock();
    }
  }

  private void append(List<PendingEntry> due) {
    for (int i = 0; i < due.size(); i++) {
      PendingEntry one = due.get(i);
      try {
        trail.append(one.id(), one.entry(), clock.get().minus(one.at()), maxEntries);
      } catch (RuntimeException e) {
        if (e instanceof StoreException trouble
            && trouble.kind() != StoreException.ErrorKind.REFUSED) {
          LOG.warn("the audit cannot be written now, it will be later: {}", e.getMessage());
          putBack(due.subList(i, due.size()));
          return;
        }
        LOG.error("the audit cannot be written: {}", one.entry(), e);
      }
    }
  }

  private synchronized List<PendingEntry> drain() {
    List<PendingEntry> taken = new ArrayList<>(pending);
    pending.clear();
    return taken;
  }

  private synchronized void add(PendingEntry deed) {
    pending.addLast(deed);
    trim();
  }

  /** They came before whatever waits by now. */
  private synchronized void putBack(List<PendingEntry> deeds) {
    deeds.reversed().forEach(pending::addFirst);
    trim();
  }

  private void trim() {
    while (pending.size() > MAX_PENDING) {
      LOG.error("the audit cannot be written: {}", pending.removeFirst().entry());
    }
  }

  /** Writes what still waits, or tells it to the log. */
  @Override
  public void close() {
    flush();
    drain().forEach(one -> LOG.error("the audit cannot be written: {}", one.entry()));
  }
}

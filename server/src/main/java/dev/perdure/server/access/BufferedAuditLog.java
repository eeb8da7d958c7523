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
 * Writes audit entries to the store before the operator gets the response. One thread writes all
 * entries that are pending while the others wait for it. Entries that the store cannot take now
 * stay in memory, up to a maximum, and are written later with the time of the action. Entries that
 * cannot be kept are logged in full.
 */
public final class BufferedAuditLog implements AuditLog, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BufferedAuditLog.class);
  private static final int MAX_PENDING = 1_000;

  /** A store that hangs must not block operators for as long as it hangs. */
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(30);

  private final AuditStore store;
  private final int maxEntries;
  private final Supplier<Duration> clock;
  private final RandomGenerator random;
  private final Deque<PendingEntry> pending = new ArrayDeque<>();
  private final ReentrantLock writeLock = new ReentrantLock();

  /**
   * An entry that is not written yet.
   *
   * @param id makes writing repeatable: an entry is stored once even if the answer was lost
   * @param at when the action was done, by the monotonic clock
   */
  private record PendingEntry(UUID id, AuditStore.NewAuditEntry entry, Duration at) {}

  /**
   * @param maxEntries how many entries the store keeps
   * @param clock a monotonic clock
   */
  public BufferedAuditLog(
      AuditStore store, int maxEntries, Supplier<Duration> clock, RandomGenerator random) {
    this.store = store;
    this.maxEntries = maxEntries;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public void record(Caller caller, AuditEntry auditEntry) {
    String detail = auditEntry.detail() == null ? null : auditEntry.detail().toString();
    AuditStore.NewAuditEntry entry =
        new AuditStore.NewAuditEntry(
            caller.name(), caller.keyId(), auditEntry.action(), auditEntry.subject(), detail);
    add(new PendingEntry(new UUID(random.nextLong(), random.nextLong()), entry, clock.get()));
    flush();
  }

  /**
   * Lists entries, newest first.
   *
   * @param before only entries with smaller numbers
   * @param subject only entries about this task or key; null for all
   */
  public List<AuditStore.StoredAuditEntry> list(long before, @Nullable String subject, int limit) {
    return store.list(before, subject, limit);
  }

  /** Writes pending entries. Called every few seconds, in case no operator does anything. */
  public void flush() {
    try {
      if (!writeLock.tryLock(LOCK_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("audit entries are still not written after {} s", LOCK_TIMEOUT.toSeconds());
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
        store.append(one.id(), one.entry(), clock.get().minus(one.at()), maxEntries);
      } catch (RuntimeException e) {
        if (e instanceof StoreException trouble
            && trouble.kind() != StoreException.ErrorKind.REFUSED) {
          LOG.warn(
              "audit entries cannot be written now and will be written later: {}", e.getMessage());
          putBack(due.subList(i, due.size()));
          return;
        }
        LOG.error("an audit entry cannot be written: {}", one.entry(), e);
      }
    }
  }

  private synchronized List<PendingEntry> drain() {
    List<PendingEntry> taken = new ArrayList<>(pending);
    pending.clear();
    return taken;
  }

  private synchronized void add(PendingEntry entry) {
    pending.addLast(entry);
    trim();
  }

  /** Puts entries back in front of those that were added meanwhile. */
  private synchronized void putBack(List<PendingEntry> entries) {
    entries.reversed().forEach(pending::addFirst);
    trim();
  }

  private void trim() {
    while (pending.size() > MAX_PENDING) {
      LOG.error("an audit entry cannot be written: {}", pending.removeFirst().entry());
    }
  }

  /** Writes pending entries to the store, or to the log if that fails. */
  @Override
  public void close() {
    flush();
    drain().forEach(one -> LOG.error("an audit entry cannot be written: {}", one.entry()));
  }
}

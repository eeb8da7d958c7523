// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.engine.store.StoreException;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Deed;
import dev.perdure.server.http.Recorder;
import dev.perdure.store.jdbc.access.AuditTrail;
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
public final class Auditor implements Recorder, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Auditor.class);
  private static final int MOST_WAITING = 1_000;

  /** A store that hangs must not hold up every operator for as long as it does. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final AuditTrail trail;
  private final int kept;
  private final Supplier<Duration> clock;
  private final RandomGenerator random;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final ReentrantLock writing = new ReentrantLock();

  /**
   * A deed that is not written yet.
   *
   * @param id by which it is written once, though its answer may be lost
   * @param at by the monotonic clock
   */
  private record Waiting(UUID id, AuditTrail.Deed deed, Duration at) {}

  /**
   * @param kept how many entries the store keeps
   * @param clock time that never goes back
   */
  public Auditor(AuditTrail trail, int kept, Supplier<Duration> clock, RandomGenerator random) {
    this.trail = trail;
    this.kept = kept;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public void record(Caller caller, Deed deed) {
    String detail = deed.detail() == null ? null : deed.detail().toString();
    AuditTrail.Deed told =
        new AuditTrail.Deed(caller.name(), caller.key(), deed.action(), deed.subject(), detail);
    add(new Waiting(new UUID(random.nextLong(), random.nextLong()), told, clock.get()));
    write();
  }

  /**
   * Entries, newest first.
   *
   * @param before only those with smaller numbers
   * @param subject only what was done to this; null for all
   */
  public List<AuditTrail.Entry> list(long before, @Nullable String subject, int limit) {
    return trail.list(before, subject, limit);
  }

  /** Writes what still waits; called now and then, since nobody may do anything for long. */
  public void write() {
    try {
      if (!writing.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("the audit is not written yet after {} s", PATIENCE.toSeconds());
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    try {
      append(taken());
    } finally {
      writing.unlock();
    }
  }

  private void append(List<Waiting> due) {
    for (int i = 0; i < due.size(); i++) {
      Waiting one = due.get(i);
      try {
        trail.append(one.id(), one.deed(), clock.get().minus(one.at()), kept);
      } catch (RuntimeException e) {
        if (e instanceof StoreException trouble && trouble.sort() != StoreException.Sort.REFUSED) {
          LOG.warn("the audit cannot be written now, it will be later: {}", e.getMessage());
          putBack(due.subList(i, due.size()));
          return;
        }
        LOG.error("the audit cannot be written: {}", one.deed(), e);
      }
    }
  }

  private synchronized List<Waiting> taken() {
    List<Waiting> taken = new ArrayList<>(waiting);
    waiting.clear();
    return taken;
  }

  private synchronized void add(Waiting deed) {
    waiting.addLast(deed);
    trim();
  }

  /** They came before whatever waits by now. */
  private synchronized void putBack(List<Waiting> deeds) {
    deeds.reversed().forEach(waiting::addFirst);
    trim();
  }

  private void trim() {
    while (waiting.size() > MOST_WAITING) {
      LOG.error("the audit cannot be written: {}", waiting.removeFirst().deed());
    }
  }

  /** Writes what still waits, or tells it to the log. */
  @Override
  public void close() {
    write();
    taken().forEach(one -> LOG.error("the audit cannot be written: {}", one.deed()));
  }
}

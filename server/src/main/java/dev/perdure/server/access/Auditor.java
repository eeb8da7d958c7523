// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.engine.store.StoreException;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Deed;
import dev.perdure.server.http.Recorder;
import dev.perdure.store.jdbc.access.AuditTrail;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what operators did, before they get their answer. What the store does not take now is
 * kept, so many at most, and written with the next; what cannot be kept is told to the log in full.
 */
public final class Auditor implements Recorder, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Auditor.class);
  private static final int MOST_WAITING = 1_000;

  private final AuditTrail trail;
  private final int kept;
  private final Deque<AuditTrail.Deed> waiting = new ArrayDeque<>();

  /**
   * @param kept how many entries the store keeps
   */
  public Auditor(AuditTrail trail, int kept) {
    this.trail = trail;
    this.kept = kept;
  }

  @Override
  public void record(Caller caller, Deed deed) {
    String detail = deed.detail() == null ? null : deed.detail().toString();
    add(new AuditTrail.Deed(caller.name(), caller.key(), deed.action(), deed.subject(), detail));
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

  private void write() {
    List<AuditTrail.Deed> due = taken();
    for (int i = 0; i < due.size(); i++) {
      try {
        trail.append(due.get(i), kept);
      } catch (StoreException e) {
        LOG.warn("the audit cannot be written now, it will be with the next: {}", e.getMessage());
        due.subList(i, due.size()).forEach(this::add);
        return;
      }
    }
  }

  private synchronized List<AuditTrail.Deed> taken() {
    List<AuditTrail.Deed> taken = new ArrayList<>(waiting);
    waiting.clear();
    return taken;
  }

  private synchronized void add(AuditTrail.Deed deed) {
    if (waiting.size() == MOST_WAITING) {
      LOG.error("the audit cannot be written: {}", waiting.removeFirst());
    }
    waiting.addLast(deed);
  }

  /** Writes what still waits, or tells it to the log. */
  @Override
  public void close() {
    write();
    taken().forEach(deed -> LOG.error("the audit cannot be written: {}", deed));
  }
}

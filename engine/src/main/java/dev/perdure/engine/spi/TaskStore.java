// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskEvent;
import java.time.Instant;
import java.util.List;

/**
 * Where tasks live. All instants are the store's own clock's: the engine hands it lengths of time.
 * Safe to use from many threads and, where the store says so, from many processes.
 *
 * <p>Every method either has done what it says when it returns, or throws {@link StoreException}.
 * Every write of a task is guarded; a guard that fails is an ordinary answer, not an error.
 */
public interface TaskStore extends TaskWriter, AutoCloseable {

  /**
   * Takes due tasks that nothing holds back, earliest {@code claim_at} first: {@link
   * TaskEvent#CLAIM}, and {@link TaskEvent#START} too when the request says so. Each gets an epoch
   * one higher than before. A node gets nothing unless its own row is alive. No task is ever taken
   * by two claims, and none before it is due.
   */
  ClaimResult claim(ClaimRequest request);

  /**
   * Attempts that are alive. A stale one changes nothing. One whose task somebody else is just
   * writing may be left out rather than waited for: its verdict shows that the lease is {@link
   * WriteResult#isLeaseStillHeld still held}, and it may be given again. One verdict each, in the
   * same order.
   */
  List<WriteResult> heartbeat(List<Heartbeat> signs);

  TaskCounters counters();

  NodeRegistry nodes();

  MaintenanceStore maintenance();

  TaskReader reader();

  Outbox outbox();

  /** Calls back, from a thread of the store's, when there may be work; hints may be missing. */
  Subscription listen(Runnable wake);

  /** Hints to every listener, in other processes too, that there may be work. */
  void wake();

  /** The store's clock; costs a query that reads no table. */
  Instant now();

  /** How many shards there are; ids made for this store carry 0 to one less than that. */
  int shards();

  @Override
  void close();

  /** Ends when it is closed. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskEvent;
import java.time.Instant;
import java.util.List;

/**
 * Stores tasks. All instants are by the store's own clock; the engine passes durations. Thread-safe
 * and, where the store says so, usable from many processes.
 *
 * <p>When a method returns, it has done what it says; otherwise it throws {@link StoreException}.
 * Every write of a task is guarded. A guard that fails is an ordinary result, not an error.
 */
public interface TaskStore extends TaskWriter, AutoCloseable {

  /**
   * Claims due tasks that nothing holds back, earliest {@code claim_at} first: {@link
   * TaskEvent#CLAIM}, and {@link TaskEvent#START} too when the request says so. Each gets the next
   * epoch. A node gets nothing unless its own row is alive. No task is claimed twice at once, and
   * none before it is due.
   */
  ClaimResult claim(ClaimRequest request);

  /**
   * Records heartbeats. A stale one changes nothing. One whose task is locked by another write may
   * be skipped: its result shows that the lease is {@link WriteResult#isLeaseStillHeld still held},
   * and it may be sent again.
   *
   * @return one result per heartbeat, in the same order
   */
  List<WriteResult> heartbeat(List<Heartbeat> heartbeats);

  /**
   * Adds to the counters of attempts. A call names each lease at most once; the reports of one
   * shard are one transaction. Unlike a heartbeat, a report must not be repeated when its answer
   * was lost. A report that is stale or would make a counter exceed {@link Long#MAX_VALUE} changes
   * nothing and does not affect the others. A report whose task is locked by another write may be
   * skipped.
   *
   * @return one result per report, in the same order. A report that was not applied although its
   *     lease is {@link WriteResult#isLeaseStillHeld held} either overflows or was skipped
   */
  List<WriteResult> addProgress(List<ProgressReport> reports);

  /** Writes the whole update, or nothing when the task has ended or the lease is no longer held. */
  WriteResult update(TaskUpdate update);

  /** True if a submission with this key was stored and the key has not expired. */
  boolean isSubmitted(Submission.SubmissionKeyDigest key);

  NodeRegistry nodes();

  MaintenanceStore maintenance();

  RollupStore rollups();

  OverviewStore overview();

  TaskReader reader();

  BatchStore batches();

  DependencyStore dependencies();

  LimitStore limits();

  ScheduleStore schedules();

  Outbox outbox();

  /** Calls back, on a thread of the store, when there may be work. Calls may be missing. */
  Subscription listen(Runnable wake);

  /** Tells all listeners, also in other processes, that there may be work. */
  void wake();

  /**
   * Tells other processes that this one changed tasks, soon and at most once a second. Unlike
   * {@link #wake()} it makes no one look for work. Does nothing if the store has one process only.
   */
  default void announceChanges() {}

  /** Calls back when another process has {@linkplain #announceChanges announced} changes. */
  default Subscription listenForChanges(Runnable changed) {
    return () -> {};
  }

  /** The store's clock; costs a query that reads no table. */
  Instant now();

  /** The number of shards; ids for this store carry 0 to one less. */
  int shards();

  @Override
  void close();

  /** A subscription to wake-ups, until it is closed. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}

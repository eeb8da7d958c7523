// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.spi.BatchStore;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.DependencyStore;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.spi.OverviewStore;
import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.RollupStore;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.testing.internal.GraphRules;
import dev.perdure.testing.internal.LimitAccounting;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A task store in memory, for tests. It is also the reference that the store contract compares
 * every other store with, so it is simple rather than fast: each method is one step under one lock.
 * Listeners are called on the thread that wakes them.
 */
public final class InMemoryStore implements TaskStore {

  private final InMemoryDatabase database;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  public InMemoryStore(InstantSource clock, int shards) {
    this(clock, shards, GraphRules.CORRECT, LimitAccounting.CORRECT);
  }

  /** A store that propagates and counts by other rules, to show that a simulation notices. */
  @SuppressWarnings("exports") // Only the simulation can see the rules.
  public InMemoryStore(
      InstantSource clock, int shards, GraphRules rules, LimitAccounting accounting) {
    this(new InMemoryDatabase(clock, shards, rules, accounting));
  }

  private InMemoryStore(InMemoryDatabase database) {
    this.database = database;
  }

  /**
   * Opens another store on the same tasks, as another process would. You can also call this after
   * {@link #close}.
   */
  public InMemoryStore reopen() {
    return new InMemoryStore(database);
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    InMemorySubmissionWriter inMemorySubmissionWriter =
        new InMemorySubmissionWriter(submission, database.shards);
    synchronized (database) {
      return inMemorySubmissionWriter.addTo(database, database.now());
    }
  }

  @Override
  public boolean isSubmitted(Submission.SubmissionKeyDigest key) {
    synchronized (database) {
      return database.keys.isTaken(key, database.now());
    }
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    synchronized (database) {
      Instant now = database.now();
      changes.forEach(change -> InMemoryChangeWriter.requireStorable(database.tasks, change, now));
      return InMemoryChangeWriter.apply(database.tasks, changes, now);
    }
  }

  /** Begins a transaction, like a caller with its own connection. */
  public InMemoryTransaction begin() {
    return new InMemoryTransaction(database);
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    synchronized (database) {
      return new InMemoryClaim(database, request).claim();
    }
  }

  @Override
  public List<WriteResult> heartbeat(List<Heartbeat> heartbeats) {
    synchronized (database) {
      Instant now = database.now();
      return heartbeats.stream()
          .map(heartbeat -> InMemoryHeartbeatWriter.apply(database.tasks, heartbeat, now))
          .toList();
    }
  }

  @Override
  public List<WriteResult> addProgress(List<ProgressReport> reports) {
    return new InMemoryTaskUpdater(database).add(reports);
  }

  @Override
  public WriteResult update(TaskUpdate update) {
    return new InMemoryTaskUpdater(database).update(update);
  }

  @Override
  public NodeRegistry nodes() {
    return new InMemoryNodeRegistry(database);
  }

  @Override
  public MaintenanceStore maintenance() {
    return new InMemoryMaintenance(database);
  }

  @Override
  public RollupStore rollups() {
    return new InMemoryRollupStore(database);
  }

  @Override
  public OverviewStore overview() {
    return new InMemoryOverviewStore(database);
  }

  @Override
  public TaskReader reader() {
    return new InMemoryTaskReader(database);
  }

  @Override
  public BatchStore batches() {
    return new InMemoryBatchStore(database);
  }

  @Override
  public DependencyStore dependencies() {
    return new InMemoryDependencyStore(database);
  }

  @Override
  public LimitStore limits() {
    return new InMemoryLimitStore(database);
  }

  @Override
  public ScheduleStore schedules() {
    return new InMemoryScheduleStore(database);
  }

  @Override
  public Outbox outbox() {
    return new InMemoryOutbox(database);
  }

  @Override
  public Subscription listen(Runnable wake) {
    listeners.add(wake);
    database.listeners.add(wake);
    return () -> removeListener(wake);
  }

  private void removeListener(Runnable wake) {
    if (listeners.remove(wake)) {
      database.listeners.remove(wake);
    }
  }

  @Override
  public void wake() {
    database.listeners.forEach(Runnable::run);
  }

  @Override
  public Instant now() {
    return database.now();
  }

  @Override
  public int shards() {
    return database.shards;
  }

  /** Removes this store's listeners. The tasks are kept. */
  @Override
  public void close() {
    listeners.forEach(this::removeListener);
  }
}

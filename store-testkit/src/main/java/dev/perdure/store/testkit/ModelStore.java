// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.Figures;
import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.Outbox;
import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Sweeps;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A store in memory: the model that every other store is compared with. Plain rather than fast;
 * each method is one step under one lock. Listeners are called by the thread that wakes them.
 */
public final class ModelStore implements TaskStore {

  private final ModelDatabase database;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  public ModelStore(InstantSource clock, int shards) {
    this(new ModelDatabase(clock, shards));
  }

  private ModelStore(ModelDatabase database) {
    this.database = database;
  }

  /** Another store on the same tasks, as another process would open it; also after a close. */
  public ModelStore reopen() {
    return new ModelStore(database);
  }

  @Override
  public Receipt submit(Submission submission) {
    Submitting submitting = new Submitting(submission, database.shards);
    synchronized (database) {
      return submitting.addTo(database, database.now());
    }
  }

  @Override
  public List<Verdict> apply(List<Change> changes) {
    synchronized (database) {
      Instant now = database.now();
      changes.forEach(change -> Changing.requireStorable(database.tasks, change, now));
      return Changing.apply(database.tasks, changes, now);
    }
  }

  /** Begins a transaction, as a caller would on a connection of his own. */
  public ModelTransaction begin() {
    return new ModelTransaction(database);
  }

  @Override
  public Claimed claim(ClaimRequest request) {
    synchronized (database) {
      return new Claiming(database, request).claim();
    }
  }

  @Override
  public List<Verdict> signs(List<SignOfLife> signs) {
    synchronized (database) {
      Instant now = database.now();
      return signs.stream().map(sign -> Hearing.apply(database.tasks, sign, now)).toList();
    }
  }

  @Override
  public Figures figures() {
    return new ModelFigures(database);
  }

  @Override
  public NodeBook nodes() {
    return new ModelNodes(database);
  }

  @Override
  public Sweeps sweeps() {
    return new ModelSweeps(database);
  }

  @Override
  public TaskReader reader() {
    return new ModelReader(database);
  }

  @Override
  public Outbox outbox() {
    return new ModelOutbox(database);
  }

  @Override
  public Listening listen(Runnable wake) {
    listeners.add(wake);
    database.listeners.add(wake);
    return () -> forget(wake);
  }

  private void forget(Runnable wake) {
    if (listeners.remove(wake)) {
      database.listeners.remove(wake);
    }
  }

  @Override
  public void wake() {
    database.listeners.forEach(Runnable::run);
  }

  @Override
  public int shards() {
    return database.shards;
  }

  /** Ends what listens here; the tasks stay. */
  @Override
  public void close() {
    listeners.forEach(this::forget);
  }
}

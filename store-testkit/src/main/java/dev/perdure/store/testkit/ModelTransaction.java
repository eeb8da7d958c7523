// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.CallersTransaction;
import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A caller's transaction on a store in memory: for tests of handlers that end their attempt in one.
 * Nobody sees what it writes before it commits. It locks nothing: when somebody was faster with one
 * of its tasks, the commit fails and nothing is written. Not safe to share.
 */
public final class ModelTransaction implements CallersTransaction, StoreFixture.Begun {

  private final ModelDatabase database;
  private final List<Submission> submissions = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();

  ModelTransaction(ModelDatabase database) {
    this.database = database;
  }

  @Override
  public CallersTransaction transaction() {
    return this;
  }

  @Override
  public Receipt submit(Submission submission) {
    synchronized (database) {
      Receipt taken = database.keys.look(submission, database.now());
      if (taken != null) {
        return taken;
      }
    }
    submissions.add(submission);
    return Receipt.stored(submission);
  }

  @Override
  public List<Verdict> apply(List<Change> more) {
    List<Verdict> verdicts = new ArrayList<>();
    Set<UUID> tried = new HashSet<>();
    synchronized (database) {
      Instant now = database.now();
      for (Change change : more) {
        Verdict verdict =
            tried.add(change.task())
                ? Changing.judge(database.tasks, change, now)
                : Changing.refused(database.tasks, change);
        verdicts.add(verdict);
        if (verdict.applied()) {
          changes.add(change);
        }
      }
    }
    return verdicts;
  }

  @Override
  public void commit() {
    synchronized (database) {
      Instant now = database.now();
      for (Change change : changes) {
        if (!Changing.judge(database.tasks, change, now).applied()) {
          throw new StoreException(
              "somebody changed task " + change.task() + " first",
              null,
              StoreException.Sort.UNAVAILABLE);
        }
      }
      for (Submission submission : submissions) {
        if (database.keys.look(submission, now) != null) {
          throw new StoreException(
              "somebody took the key of batch " + submission.batch() + " first",
              null,
              StoreException.Sort.UNAVAILABLE);
        }
      }
      for (Submission submission : submissions) {
        new Submitting(submission, database.shards).addTo(database, now);
      }
      changes.forEach(change -> Changing.apply(database.tasks, change, now));
    }
    close();
  }

  /** Forgets what was not committed. */
  @Override
  public void close() {
    submissions.clear();
    changes.clear();
  }
}

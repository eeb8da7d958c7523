// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.CallersTransaction;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
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
public final class InMemoryTransaction implements CallersTransaction, AutoCloseable {

  private final InMemoryDatabase database;
  private final List<Submission> submissions = new ArrayList<>();
  private final List<TaskChange> taskChanges = new ArrayList<>();

  InMemoryTransaction(InMemoryDatabase database) {
    this.database = database;
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    synchronized (database) {
      SubmissionReceipt taken = database.findByKey(submission, database.now());
      if (taken != null) {
        return taken;
      }
    }
    submissions.add(submission);
    return submission.stored();
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> more) {
    List<WriteResult> writeResults = new ArrayList<>();
    Set<UUID> tried = new HashSet<>();
    synchronized (database) {
      Instant now = database.now();
      for (TaskChange taskChange : more) {
        WriteResult writeResult =
            tried.add(taskChange.task())
                ? InMemoryChange.dryRun(database.tasks, taskChange, now)
                : InMemoryChange.refused(database.tasks, taskChange);
        writeResults.add(writeResult);
        if (writeResult.applied()) {
          taskChanges.add(taskChange);
        }
      }
    }
    return writeResults;
  }

  /** Writes everything, or throws and writes nothing. */
  public void commit() {
    synchronized (database) {
      Instant now = database.now();
      for (TaskChange taskChange : taskChanges) {
        if (!InMemoryChange.dryRun(database.tasks, taskChange, now).applied()) {
          throw new StoreException(
              "somebody changed task " + taskChange.task() + " first",
              null,
              StoreException.ErrorKind.UNAVAILABLE);
        }
      }
      for (Submission submission : submissions) {
        if (database.findByKey(submission, now) != null) {
          throw new StoreException(
              "somebody took the key of batch " + submission.batch() + " first",
              null,
              StoreException.ErrorKind.UNAVAILABLE);
        }
      }
      for (Submission submission : submissions) {
        new InMemorySubmission(submission, database.shards).addTo(database, now);
      }
      taskChanges.forEach(taskChange -> InMemoryChange.apply(database.tasks, taskChange, now));
    }
    close();
  }

  /** Forgets what was not committed. */
  @Override
  public void close() {
    submissions.clear();
    taskChanges.clear();
  }
}

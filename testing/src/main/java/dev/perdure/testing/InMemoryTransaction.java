// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.CallerTransaction;
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
import org.jspecify.annotations.Nullable;

/**
 * A caller's transaction on an {@link InMemoryStore}, for tests of handlers that settle their
 * attempt in their own transaction. Its writes become visible when it commits. It takes no locks:
 * if another writer has changed one of its tasks, the commit fails and nothing is written. Not
 * thread-safe.
 */
public final class InMemoryTransaction implements CallerTransaction, AutoCloseable {

  private final InMemoryDatabase database;
  private final List<Submission> submissions = new ArrayList<>();
  private final List<TaskChange> changes = new ArrayList<>();

  InMemoryTransaction(InMemoryDatabase database) {
    this.database = database;
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    SubmissionReceipt existing = findByKey(submission);
    if (existing != null) {
      return existing;
    }
    List<UUID> missing = missingParents(submission);
    if (!missing.isEmpty()) {
      return submission.unknownParents(missing);
    }
    submissions.add(submission);
    return submission.stored();
  }

  private List<UUID> missingParents(Submission submission) {
    synchronized (database) {
      return submission.storedParents().stream()
          .filter(id -> database.tasks.find(id) == null)
          .filter(id -> submissions.stream().noneMatch(own -> own.stored().ids().contains(id)))
          .toList();
    }
  }

  private @Nullable SubmissionReceipt findByKey(Submission submission) {
    Submission.SubmissionKeyDigest key = submission.key();
    if (key == null) {
      return null;
    }
    for (Submission own : submissions) {
      if (own.key() != null && own.key().id().equals(key.id())) {
        return submission.keyInUse(own.batch(), own.key().content(), batch -> own.stored().ids());
      }
    }
    synchronized (database) {
      return database.findByKey(submission, database.now());
    }
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> more) {
    List<WriteResult> results = new ArrayList<>();
    Set<UUID> tried = new HashSet<>();
    synchronized (database) {
      Instant now = database.now();
      for (TaskChange change : more) {
        WriteResult result =
            tried.add(change.task())
                ? InMemoryChangeWriter.dryRun(database.tasks, change, now)
                : InMemoryChangeWriter.refused(database.tasks, change);
        results.add(result);
        if (result.applied()) {
          changes.add(change);
        }
      }
    }
    return results;
  }

  /** Writes everything, or throws and writes nothing. */
  public void commit() {
    synchronized (database) {
      Instant now = database.now();
      for (TaskChange change : changes) {
        if (!InMemoryChangeWriter.dryRun(database.tasks, change, now).applied()) {
          throw new StoreException(
              "another writer has changed task " + change.task(),
              null,
              StoreException.ErrorKind.UNAVAILABLE);
        }
      }
      for (Submission submission : submissions) {
        if (database.findByKey(submission, now) != null) {
          throw new StoreException(
              "another submission has taken the key of batch " + submission.batch(),
              null,
              StoreException.ErrorKind.UNAVAILABLE);
        }
      }
      for (Submission submission : submissions) {
        new InMemorySubmissionWriter(submission, database.shards).addTo(database, now);
      }
      changes.forEach(change -> InMemoryChangeWriter.apply(database.tasks, change, now));
    }
    close();
  }

  /** Discards uncommitted writes. */
  @Override
  public void close() {
    submissions.clear();
    changes.clear();
  }
}

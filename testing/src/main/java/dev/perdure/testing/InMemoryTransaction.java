// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.CallerTransaction;
import dev.perdure.engine.spi.Deduplication;
import dev.perdure.engine.spi.Deduplication.KeyHolder;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private final Map<Submission, Deduplication> deduplicated = new LinkedHashMap<>();
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
    Deduplication before = deduplicated.get(submission);
    if (before != null) {
      return before.receipt();
    }
    Deduplication deduplication = new Deduplication(submission, holders(submission));
    Submission remaining = deduplication.remaining();
    List<UUID> missing = remaining == null ? List.of() : missingParents(remaining);
    if (!missing.isEmpty()) {
      return submission.unknownParents(missing);
    }
    deduplicated.put(submission, deduplication);
    return deduplication.receipt();
  }

  /** The live tasks that have keys of the submission, also those of this transaction. */
  private Map<String, KeyHolder> holders(Submission submission) {
    Map<String, KeyHolder> holders = new HashMap<>();
    List<String> keys = Deduplication.keys(submission);
    for (Submission own : remaining()) {
      for (Submission.NewTaskRow row : own.tasks()) {
        String key = row.definition().dedupeKey();
        if (key != null && Shards.of(own.batch()) == Shards.of(submission.batch())) {
          holders.put(
              key,
              new KeyHolder(row.id(), own.batch(), row.state(), own.definition().policy() != null));
        }
      }
    }
    synchronized (database) {
      holders.putAll(database.tasks.holders(Shards.of(submission.batch()), keys));
    }
    return holders;
  }

  /** What is left of the submissions without duplicates. */
  private List<Submission> remaining() {
    return deduplicated.values().stream()
        .flatMap(deduplication -> Optional.ofNullable(deduplication.remaining()).stream())
        .toList();
  }

  private List<UUID> missingParents(Submission submission) {
    synchronized (database) {
      return submission.storedParents().stream()
          .filter(id -> database.tasks.find(id) == null)
          .filter(id -> remaining().stream().noneMatch(own -> own.stored().ids().contains(id)))
          .toList();
    }
  }

  private @Nullable SubmissionReceipt findByKey(Submission submission) {
    Submission.SubmissionKeyDigest key = submission.key();
    if (key == null) {
      return null;
    }
    for (Map.Entry<Submission, Deduplication> entry : deduplicated.entrySet()) {
      Submission own = entry.getKey();
      if (own.key() != null && own.key().id().equals(key.id())) {
        return submission.keyInUse(
            entry.getValue().receipt().batch(),
            own.key().content(),
            entry.getValue().text(),
            batch -> own.stored().ids());
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
      for (Submission submission : deduplicated.keySet()) {
        if (database.findByKey(submission, now) != null) {
          throw new StoreException(
              "another submission has taken the key of batch " + submission.batch(),
              null,
              StoreException.ErrorKind.UNAVAILABLE);
        }
      }
      remaining().forEach(this::requireDedupeKeysFree);
      deduplicated.forEach(
          (submission, deduplication) ->
              new InMemorySubmissionWriter(submission, database.shards)
                  .add(deduplication, database, now));
      changes.forEach(change -> InMemoryChangeWriter.apply(database.tasks, change, now));
    }
    close();
  }

  private void requireDedupeKeysFree(Submission submission) {
    List<String> keys = Deduplication.keys(submission);
    if (!database.tasks.holders(Shards.of(submission.batch()), keys).isEmpty()) {
      throw new StoreException(
          "another submission has taken a dedupe key of batch " + submission.batch(),
          null,
          StoreException.ErrorKind.UNAVAILABLE);
    }
  }

  /** Discards uncommitted writes. */
  @Override
  public void close() {
    deduplicated.clear();
    changes.clear();
  }
}

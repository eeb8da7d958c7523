// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.Deduplication;
import dev.perdure.engine.spi.Deduplication.KeyHolder;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds, locks and replaces the live tasks that have given dedupe keys. */
final class KeyHolders {

  /** How often an operation starts over because another transaction has taken or freed a key. */
  static final int MAX_TRIES = 10;

  private final PostgresExecutor executor;

  KeyHolders(PostgresExecutor executor) {
    this.executor = executor;
  }

  /**
   * A task would be locked after others that come later in the lock order. The caller rolls back
   * and starts over.
   */
  static final class LockOrderException extends SQLTransactionRollbackException {

    private static final long serialVersionUID = 1;

    LockOrderException() {
      super("the tasks with the dedupe keys have changed", "40001");
    }
  }

  static StoreException keepsChanging() {
    return new StoreException(
        "the tasks with the dedupe keys of the submission keep changing",
        null,
        StoreException.ErrorKind.UNAVAILABLE);
  }

  static StoreException oldSnapshot() {
    return new StoreException(
        "another task has a dedupe key of the submission, but the snapshot of this transaction is"
            + " older than the task: begin a new transaction, or use READ COMMITTED",
        null,
        StoreException.ErrorKind.UNAVAILABLE);
  }

  /**
   * Finds the live tasks that have keys of the submission. Those that are not claimed are locked:
   * they start after this transaction. If there are any, the stored tasks that the submission
   * depends on are locked with them, in the order of their ids.
   */
  Deduplication lock(Connection connection, Submission submission) throws SQLException {
    int shard = Shards.of(submission.batch());
    List<String> keys = Deduplication.keys(submission);
    String statement = writesHolders(submission) ? "dedupe.lock_holders" : "dedupe.share_holders";
    NavigableSet<UUID> locked = new TreeSet<>(IdOrder.BYTEWISE);
    for (int i = 0; i < MAX_TRIES; i++) {
      Map<String, KeyHolder> found = find(connection, shard, keys);
      Deduplication deduplication = new Deduplication(submission, found);
      Set<UUID> holders =
          found.values().stream()
              .filter(holder -> !holder.state().isLeased())
              .map(KeyHolder::id)
              .collect(Collectors.toSet());
      Submission remaining = deduplication.remaining();
      Set<UUID> parents = remaining == null ? Set.of() : Set.copyOf(remaining.storedParents());
      List<UUID> missing =
          Stream.concat(holders.stream(), parents.stream())
              .filter(id -> !locked.contains(id))
              .distinct()
              .sorted(IdOrder.BYTEWISE)
              .toList();
      if (missing.isEmpty() || (holders.isEmpty() && locked.isEmpty())) {
        return deduplication;
      }
      if (!locked.isEmpty() && IdOrder.BYTEWISE.compare(missing.getFirst(), locked.last()) < 0) {
        throw new LockOrderException();
      }
      locked.addAll(lockRows(connection, statement, shard, missing, parents));
      locked.addAll(parents); // A parent that was not found is unknown.
    }
    throw keepsChanging();
  }

  /** Returns whether rows of live tasks are written, because they are replaced or get children. */
  private static boolean writesHolders(Submission submission) {
    Set<UUID> withoutKey =
        submission.tasks().stream()
            .filter(row -> row.definition().dedupeKey() == null)
            .map(NewTaskRow::id)
            .collect(Collectors.toSet());
    return submission.tasks().stream().anyMatch(NewTaskRow::replacesDuplicate)
        || submission.dependencies().stream()
            .anyMatch(dependency -> !withoutKey.contains(dependency.parent()));
  }

  Map<String, KeyHolder> find(Connection connection, int shard, Collection<String> keys)
      throws SQLException {
    Map<String, KeyHolder> found = new HashMap<>();
    if (keys.isEmpty()) {
      return found;
    }
    try (NamedParameterStatement statement = executor.statement(connection, "dedupe.holders")) {
      PostgresParameters.array(
          statement.integer("shard", shard), "keys", "text", List.copyOf(keys), key -> key);
      ResultSet row = statement.query();
      while (row.next()) {
        found.put(
            row.getString("dedupe_key"),
            new KeyHolder(
                row.getObject("id", UUID.class),
                row.getObject("batch", UUID.class),
                TaskState.of(row.getString("state")).orElseThrow(),
                row.getBoolean("may_run_again")));
      }
    }
    return found;
  }

  /** Returns those that exist and, unless they are parents, are not claimed. */
  private List<UUID> lockRows(
      Connection connection, String name, int shard, List<UUID> ids, Set<UUID> parents)
      throws SQLException {
    List<UUID> locked = new ArrayList<>();
    try (NamedParameterStatement statement = executor.statement(connection, name)) {
      PostgresParameters.array(
          statement.integer("shard", shard),
          "item_indexes",
          "int4",
          IntStream.range(0, ids.size()).boxed().toList(),
          index -> index);
      PostgresParameters.array(statement, "ids", "uuid", ids, id -> id);
      PostgresParameters.array(
          statement, "are_parents", "bool", ids, id -> parents.contains(id) ? true : null);
      ResultSet row = statement.query();
      while (row.next()) {
        locked.add(row.getObject("id", UUID.class));
      }
    }
    return locked;
  }

  /** Replaces those of these tasks that have never been claimed. */
  void replace(Connection connection, Map<UUID, NewTaskRow> replacements) throws SQLException {
    for (Map.Entry<UUID, NewTaskRow> entry : replacements.entrySet()) {
      TaskDefinition task = entry.getValue().definition();
      try (NamedParameterStatement statement = executor.statement(connection, "dedupe.replace")) {
        PostgresParameters.instant(statement, "now", executor.settings().now());
        PostgresParameters.uuid(statement, "id", entry.getKey());
        statement
            .integer("shard", Shards.of(entry.getKey()))
            .text("due_at", PostgresParameters.dueAt(entry.getValue().due()))
            .number("due_in_ms", TaskInsertParameters.dueIn(entry.getValue().due()))
            .text("payload", PostgresParameters.withoutNul(task.payload()))
            .text("policy", PostgresParameters.withoutNul(task.policy()))
            .text("policy_as_given", PostgresParameters.withoutNul(task.policyAsGiven()))
            .text("strategy", task.strategy())
            .update();
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.Deduplication.KeyHolder;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/** Finds, locks and replaces the live tasks that have given dedupe keys. */
final class KeyHolders {

  /** How often an operation starts over because another transaction has taken or freed a key. */
  static final int MAX_TRIES = 10;

  private final PostgresExecutor executor;

  KeyHolders(PostgresExecutor executor) {
    this.executor = executor;
  }

  static StoreException keepsChanging() {
    return new StoreException(
        "the tasks with the dedupe keys of the submission keep changing",
        null,
        StoreException.ErrorKind.UNAVAILABLE);
  }

  /**
   * Returns the live tasks that have these keys, by key. Those that are not claimed are locked:
   * they start after this transaction.
   */
  Map<String, KeyHolder> lock(Connection connection, int shard, List<String> keys)
      throws SQLException {
    Set<UUID> locked = new HashSet<>();
    for (int i = 0; i < MAX_TRIES; i++) {
      Map<String, KeyHolder> found = find(connection, shard, keys);
      List<UUID> unlocked =
          found.values().stream()
              .filter(holder -> !holder.state().isLeased())
              .map(KeyHolder::id)
              .filter(id -> !locked.contains(id))
              .sorted(IdOrder.BYTEWISE)
              .toList();
      if (unlocked.isEmpty()) {
        return found;
      }
      locked.addAll(lockRows(connection, shard, unlocked));
    }
    throw keepsChanging();
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
                TaskState.of(row.getString("state")).orElseThrow()));
      }
    }
    return found;
  }

  private List<UUID> lockRows(Connection connection, int shard, List<UUID> ids)
      throws SQLException {
    List<UUID> locked = new ArrayList<>();
    try (NamedParameterStatement statement =
        executor.statement(connection, "dedupe.lock_holders")) {
      PostgresParameters.array(
          statement.integer("shard", shard),
          "item_indexes",
          "int4",
          IntStream.range(0, ids.size()).boxed().toList(),
          index -> index);
      PostgresParameters.array(statement, "ids", "uuid", ids, id -> id);
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

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Inserts deliveries. Those of a change are inserted in the transaction that applies the change.
 */
final class DeliveryWriter {

  private final PostgresExecutor executor;

  DeliveryWriter(PostgresExecutor executor) {
    this.executor = executor;
  }

  private record NewDeliveryRow(UUID task, NewDelivery delivery) {}

  /** Inserts the deliveries of each change that was applied. */
  void insert(Connection connection, int shard, GuardedWrites<TaskChange> writes)
      throws SQLException {
    List<NewDeliveryRow> rows = new ArrayList<>();
    for (int index : writes.indexes()) {
      if (writes.isApplied(index)) {
        TaskChange change = writes.item(index);
        change
            .deliveries()
            .forEach(delivery -> rows.add(new NewDeliveryRow(change.task(), delivery)));
      }
    }
    if (!rows.isEmpty()) {
      insert(connection, shard, rows, true);
    }
  }

  /** Inserts deliveries that are listed under this task. */
  void insert(Connection connection, UUID task, List<NewDelivery> deliveries) throws SQLException {
    if (!deliveries.isEmpty()) {
      insert(
          connection,
          Shards.of(task),
          deliveries.stream().map(delivery -> new NewDeliveryRow(task, delivery)).toList(),
          false);
    }
  }

  /** Inserts a delivery of this task and returns false if the task does not exist. */
  boolean insert(Connection connection, UUID task, NewDelivery delivery) throws SQLException {
    List<NewDeliveryRow> rows = List.of(new NewDeliveryRow(task, delivery));
    return insert(connection, Shards.of(task), rows, false) == 1;
  }

  private int insert(
      Connection connection, int shard, List<NewDeliveryRow> rows, boolean withChange)
      throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "delivery.insert")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement.integer("shard", shard).flag("with_change", withChange);
      PostgresParameters.array(statement, "ids", "uuid", rows, row -> row.delivery().id());
      PostgresParameters.array(statement, "tasks", "uuid", rows, NewDeliveryRow::task);
      PostgresParameters.array(
          statement,
          "triggers",
          "text",
          rows,
          row -> PostgresParameters.withoutNul(row.delivery().message().trigger()));
      PostgresParameters.array(
          statement,
          "requests",
          "text",
          rows,
          row -> PostgresParameters.withoutNul(row.delivery().message().request()));
      return statement.update();
    }
  }
}

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

/** Writes deliveries: those of changes in the transaction that wrote the changes. */
final class DeliveryWriter {

  private final PostgresExecutor executor;

  DeliveryWriter(PostgresExecutor postgresExecutor) {
    this.executor = postgresExecutor;
  }

  private record NewDeliveryRow(UUID task, NewDelivery delivery) {}

  /** Of each change that was written. */
  void insert(Connection connection, int shard, GuardedWrites<TaskChange> guardedWrites)
      throws SQLException {
    List<NewDeliveryRow> newDeliveryRows = new ArrayList<>();
    for (int place : guardedWrites.indexes()) {
      if (guardedWrites.isApplied(place)) {
        TaskChange taskChange = guardedWrites.item(place);
        taskChange
            .deliveries()
            .forEach(one -> newDeliveryRows.add(new NewDeliveryRow(taskChange.task(), one)));
      }
    }
    if (!newDeliveryRows.isEmpty()) {
      insert(connection, shard, newDeliveryRows);
    }
  }

  /** Of this task; false when there is none. */
  boolean insert(Connection connection, UUID task, NewDelivery delivery) throws SQLException {
    return insert(connection, Shards.of(task), List.of(new NewDeliveryRow(task, delivery))) == 1;
  }

  private int insert(Connection connection, int shard, List<NewDeliveryRow> newDeliveryRows)
      throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "delivery.insert")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      namedParameterStatement.integer("shard", shard);
      PostgresParameters.array(
          namedParameterStatement, "ids", "uuid", newDeliveryRows, one -> one.delivery().id());
      PostgresParameters.array(
          namedParameterStatement, "tasks", "uuid", newDeliveryRows, NewDeliveryRow::task);
      PostgresParameters.array(
          namedParameterStatement,
          "triggers",
          "text",
          newDeliveryRows,
          one -> PostgresParameters.withoutNul(one.delivery().message().trigger()));
      PostgresParameters.array(
          namedParameterStatement,
          "requests",
          "text",
          newDeliveryRows,
          one -> PostgresParameters.withoutNul(one.delivery().message().request()));
      return namedParameterStatement.update();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.DeliveryPage;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Maps rows to deliveries. The columns have the names of the schema. */
public final class DeliveryRowMapper {

  private final TaskRowMapper.ColumnReader columnReader;
  private final TaskRowMapper taskRowMapper;

  public DeliveryRowMapper(TaskRowMapper.ColumnReader columnReader) {
    this.columnReader = columnReader;
    this.taskRowMapper = new TaskRowMapper(columnReader);
  }

  public Delivery delivery(ResultSet row) throws SQLException {
    return new Delivery(
        columnReader.uuid(row, "id"),
        columnReader.uuid(row, "task"),
        columnReader.uuid(row, "batch"),
        new DeliveryMessage(row.getString("trigger"), row.getString("request")),
        DeliveryState.of(row.getString("state")).orElseThrow(),
        row.getLong("epoch"),
        row.getLong("attempt"),
        new Delivery.DeliveryTimes(
            taskRowMapper.instant(row, "created_at"),
            taskRowMapper.instant(row, "retry_since"),
            taskRowMapper.instant(row, "due_at"),
            columnReader.instant(row, "lease_until"),
            taskRowMapper.instant(row, "updated_at"),
            columnReader.instant(row, "ended_at")),
        failure(row));
  }

  private static Delivery.@Nullable DeliveryFailure failure(ResultSet row) throws SQLException {
    String kind = row.getString("failure_kind");
    return kind == null
        ? null
        : new Delivery.DeliveryFailure(
            kind, row.getInt("failure_status"), row.getString("failure_message"));
  }

  /** Chooses the list statement by the index that fits the filter. */
  public static String listStatement(DeliveryFilter filter) {
    if (filter.task() != null) {
      return "delivery.list_of_task";
    }
    DeliveryState state = filter.state();
    return state == null ? "delivery.list" : "delivery.list_" + state.text();
  }

  /** Builds a page, newest first, from rows that may include one more than the page holds. */
  public static DeliveryPage page(List<Delivery> found, int size, Comparator<UUID> idOrder) {
    List<Delivery> sorted =
        found.stream().sorted(Comparator.comparing(Delivery::id, idOrder).reversed()).toList();
    if (sorted.size() <= size) {
      return new DeliveryPage(sorted, null);
    }
    List<Delivery> shown = sorted.subList(0, size);
    return new DeliveryPage(shown, shown.getLast().id().toString());
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.store.DeliveryFilter;
import dev.perdure.engine.store.DeliveryPage;
import dev.perdure.engine.task.Announcement;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads deliveries from rows whose columns have the names of the schema. */
public final class DeliveryRows {

  private final TaskRows.Columns columns;
  private final TaskRows rows;

  public DeliveryRows(TaskRows.Columns columns) {
    this.columns = columns;
    this.rows = new TaskRows(columns);
  }

  public Delivery delivery(ResultSet row) throws SQLException {
    return new Delivery(
        columns.uuid(row, "id"),
        columns.uuid(row, "task"),
        columns.uuid(row, "batch"),
        new Announcement(row.getString("trigger"), row.getString("request")),
        DeliveryState.of(row.getString("state")).orElseThrow(),
        row.getLong("epoch"),
        row.getLong("attempt"),
        new Delivery.Times(
            rows.instant(row, "created_at"),
            rows.instant(row, "since"),
            rows.instant(row, "due_at"),
            columns.instant(row, "lease_until"),
            rows.instant(row, "updated_at"),
            columns.instant(row, "ended_at")),
        miss(row));
  }

  private static Delivery.@Nullable Miss miss(ResultSet row) throws SQLException {
    String kind = row.getString("miss_kind");
    return kind == null
        ? null
        : new Delivery.Miss(kind, row.getInt("miss_status"), row.getString("miss_message"));
  }

  /** The statement that leads straight to what the filter means. */
  public static String listOf(DeliveryFilter filter) {
    if (filter.task() != null) {
      return "delivery.list_of_task";
    }
    DeliveryState state = filter.state();
    return state == null ? "delivery.list" : "delivery.list_" + state.text();
  }

  /** The page that begins with the newest of these, which may be one more than it holds. */
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

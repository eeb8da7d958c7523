// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Which of a batch of writes were done. Of several with one key only the first is tried. They are
 * sent in the order of their tasks: so two batches that overlap lock the rows in the same order.
 */
final class GuardedWrites<T> {

  private final List<T> items;
  private final Function<T, UUID> task;
  private final List<Integer> indexes = new ArrayList<>();
  private final BitSet applied = new BitSet();

  GuardedWrites(List<T> items, Function<T, UUID> task, Function<T, ?> key) {
    this.items = items;
    this.task = task;
    Set<Object> seen = new HashSet<>();
    for (int place = 0; place < items.size(); place++) {
      if (seen.add(key.apply(items.get(place)))) {
        indexes.add(place);
      }
    }
    indexes.sort(Comparator.comparing(place -> task.apply(items.get(place))));
  }

  /** Where those stand that are tried. */
  List<Integer> indexes() {
    return indexes;
  }

  List<T> items() {
    return items;
  }

  T item(int place) {
    return items.get(place);
  }

  UUID task(int place) {
    return task.apply(items.get(place));
  }

  /** Notes the places that the statement returned. */
  void markApplied(ResultSet rows) throws SQLException {
    while (rows.next()) {
      applied.set(rows.getInt("item_index"));
    }
  }

  boolean isApplied(int place) {
    return applied.get(place);
  }

  /** The tasks of those that were refused. */
  Set<UUID> refused() {
    Set<UUID> refused = new HashSet<>();
    for (int place = 0; place < items.size(); place++) {
      if (!isApplied(place)) {
        refused.add(task(place));
      }
    }
    return refused;
  }
}

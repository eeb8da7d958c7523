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
 * Tracks which writes of a batch were applied. If several have the same key, only the first is
 * tried. The writes are sent in the order of their task ids, so that overlapping batches lock rows
 * in the same order.
 */
final class GuardedWrites<T> {

  private final List<T> items;
  private final Function<T, UUID> task;
  private final List<Integer> indexes = new ArrayList<>();
  private final BitSet applied = new BitSet();
  private final BitSet observed = new BitSet();
  private final BitSet limited = new BitSet();

  GuardedWrites(List<T> items, Function<T, UUID> task, Function<T, ?> key) {
    this.items = items;
    this.task = task;
    Set<Object> seen = new HashSet<>();
    for (int index = 0; index < items.size(); index++) {
      if (seen.add(key.apply(items.get(index)))) {
        indexes.add(index);
      }
    }
    indexes.sort(Comparator.comparing(index -> task.apply(items.get(index))));
  }

  /** Returns the indexes of the writes to try. */
  List<Integer> indexes() {
    return indexes;
  }

  List<T> items() {
    return items;
  }

  T item(int index) {
    return items.get(index);
  }

  UUID task(int index) {
    return task.apply(items.get(index));
  }

  /** Marks the writes whose indexes the statement returned. */
  void markApplied(ResultSet rows) throws SQLException {
    while (rows.next()) {
      applied.set(rows.getInt("item_index"));
    }
  }

  /** Marks the writes whose indexes the statement returned, and which of them others observe. */
  void markAppliedAndObserved(ResultSet rows) throws SQLException {
    while (rows.next()) {
      applied.set(rows.getInt("item_index"));
      observed.set(rows.getInt("item_index"), rows.getBoolean("observed"));
      limited.set(rows.getInt("item_index"), rows.getBoolean("limited"));
    }
  }

  boolean isLimited(int index) {
    return limited.get(index);
  }

  boolean isObserved(int index) {
    return observed.get(index);
  }

  boolean isApplied(int index) {
    return applied.get(index);
  }

  /** Returns the tasks of the writes that were not applied. */
  Set<UUID> refused() {
    Set<UUID> refused = new HashSet<>();
    for (int index = 0; index < items.size(); index++) {
      if (!isApplied(index)) {
        refused.add(task(index));
      }
    }
    return refused;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The rows of which something is true, in order. */
final class Index {

  private final Predicate<Row> belongs;
  private final NavigableSet<Row> rows;

  Index(Predicate<Row> belongs, Comparator<Row> order) {
    this.belongs = belongs;
    this.rows = new TreeSet<>(order);
  }

  void add(Row row) {
    if (belongs.test(row)) {
      rows.add(row);
    }
  }

  void remove(Row row) {
    if (belongs.test(row)) {
      rows.remove(row);
    }
  }

  Stream<Row> rows() {
    return rows.stream();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The rows of which something is true, in order. */
final class TaskIndex {

  private final Predicate<StoredTask> belongs;
  private final NavigableSet<StoredTask> storedTasks;

  TaskIndex(Predicate<StoredTask> belongs, Comparator<StoredTask> order) {
    this.belongs = belongs;
    this.storedTasks = new TreeSet<>(order);
  }

  void add(StoredTask storedTask) {
    if (belongs.test(storedTask)) {
      storedTasks.add(storedTask);
    }
  }

  void remove(StoredTask storedTask) {
    if (belongs.test(storedTask)) {
      storedTasks.remove(storedTask);
    }
  }

  Stream<StoredTask> rows() {
    return storedTasks.stream();
  }
}

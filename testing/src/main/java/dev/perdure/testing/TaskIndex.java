// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A sorted index of the tasks that match a condition. */
final class TaskIndex {

  private final Predicate<StoredTask> condition;
  private final NavigableSet<StoredTask> storedTasks;

  TaskIndex(Predicate<StoredTask> condition, Comparator<StoredTask> order) {
    this.condition = condition;
    this.storedTasks = new TreeSet<>(order);
  }

  void add(StoredTask storedTask) {
    if (condition.test(storedTask)) {
      storedTasks.add(storedTask);
    }
  }

  void remove(StoredTask storedTask) {
    if (condition.test(storedTask)) {
      storedTasks.remove(storedTask);
    }
  }

  Stream<StoredTask> rows() {
    return storedTasks.stream();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.PropagationTables;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.TaskState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The dependencies, and the events that have not been propagated yet. */
final class DependencyTable {

  /**
   * A dependency and what became of it.
   *
   * @param deferred true when the end of the parent counts once its batch is final
   */
  record StoredDependency(
      Dependency dependency, @Nullable DependencyOutcome outcome, boolean deferred) {}

  /**
   * A task that ended or was revived.
   *
   * @param state the state it had then; null when the event has another cause
   * @param doneUpTo see {@link PropagationTables.Event}
   */
  record PropagationEvent(
      long number, UUID task, Instant at, @Nullable TaskState state, @Nullable UUID doneUpTo) {}

  private final Map<UUID, NavigableMap<UUID, StoredDependency>> byParent = new HashMap<>();
  private final Map<UUID, NavigableMap<UUID, StoredDependency>> byChild = new HashMap<>();
  private final Deque<PropagationEvent> events = new ArrayDeque<>();
  private long lastEvent;

  /** Adds the dependency, or replaces it. */
  void put(Dependency dependency, @Nullable DependencyOutcome outcome, boolean deferred) {
    StoredDependency stored = new StoredDependency(dependency, outcome, deferred);
    of(byParent, dependency.parent()).put(dependency.child(), stored);
    of(byChild, dependency.child()).put(dependency.parent(), stored);
  }

  void setOutcome(Dependency dependency, @Nullable DependencyOutcome outcome) {
    StoredDependency stored = of(byParent, dependency.parent()).get(dependency.child());
    if (stored != null) {
      put(dependency, outcome, stored.deferred());
    }
  }

  private static NavigableMap<UUID, StoredDependency> of(
      Map<UUID, NavigableMap<UUID, StoredDependency>> index, UUID task) {
    return index.computeIfAbsent(task, id -> new TreeMap<>(IdOrder.BYTEWISE));
  }

  /** The dependencies on this task, in the order of the children. */
  Collection<StoredDependency> onParent(UUID parent) {
    return List.copyOf(byParent.getOrDefault(parent, new TreeMap<>()).values());
  }

  /** What this task depends on, in the order of the parents. */
  Collection<StoredDependency> ofChild(UUID child) {
    return List.copyOf(byChild.getOrDefault(child, new TreeMap<>()).values());
  }

  boolean hasChildren(UUID task) {
    return byParent.containsKey(task);
  }

  /** Lets tasks of other batches depend on the copy of a task, unless it has satisfied them. */
  void moveDeferred(UUID from, UUID to) {
    for (StoredDependency stored : onParent(from)) {
      Dependency old = stored.dependency();
      boolean movable =
          !old.child().equals(to)
              && !byParent.getOrDefault(to, new TreeMap<>()).containsKey(old.child());
      if (movable
          && stored.deferred()
          && !DependencyOutcome.satisfies(stored.outcome(), old.requiresSuccess())) {
        of(byParent, from).remove(old.child());
        of(byChild, old.child()).remove(from);
        put(new Dependency(to, old.child(), old.requiresSuccess()), stored.outcome(), true);
      }
    }
  }

  void deleteOf(UUID task) {
    byParent.remove(task);
    byChild.remove(task);
    byParent.values().forEach(children -> children.remove(task));
    byParent.values().removeIf(Map::isEmpty);
    byChild.values().forEach(parents -> parents.remove(task));
  }

  void addEvent(UUID task, Instant at, @Nullable TaskState state, @Nullable UUID doneUpTo) {
    lastEvent++;
    events.add(new PropagationEvent(lastEvent, task, at, state, doneUpTo));
  }

  Deque<PropagationEvent> events() {
    return events;
  }

  boolean hasEvent(UUID task) {
    return events.stream().anyMatch(event -> event.task().equals(task));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.spi.Deduplication;
import dev.perdure.engine.spi.HeldTasks;
import dev.perdure.engine.spi.InitialDependencies;
import dev.perdure.engine.spi.Observers;
import dev.perdure.engine.spi.StoredParents;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.IdOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tasks of the next run of a batch: which task is copied under which id, and how it starts. */
public final class RunCopy {

  private static final int KEPT =
      Observers.CHILDREN | Observers.DEAD_END | Observers.PARENT_DEAD_END;

  /** A task of the run before. */
  public record OldTask(UUID id, int observers, boolean live, @Nullable String dedupeKey) {}

  private final Map<UUID, UUID> newIds = new LinkedHashMap<>();
  private final Set<UUID> own = new HashSet<>();
  private final List<OldTask> tasks;
  private final Map<UUID, UUID> holders;
  private final List<Dependency> dependencies = new ArrayList<>();

  /**
   * @param tasks in the order of their ids, parents first
   * @param old what they depend on
   * @param held those that are not copied
   */
  public RunCopy(List<OldTask> tasks, List<Dependency> old, HeldTasks held, Supplier<UUID> ids) {
    this.holders = held.holders();
    this.tasks = tasks.stream().filter(task -> !holders.containsKey(task.id())).toList();
    this.tasks.forEach(task -> newIds.put(task.id(), ids.get()));
    own.addAll(newIds.values());
    for (Dependency dependency : old) {
      if (!holders.containsKey(dependency.child())) {
        dependencies.add(
            new Dependency(
                successor(dependency.parent()),
                newId(dependency.child()),
                dependency.requiresSuccess()));
      }
    }
  }

  /** The keys of the tasks that have one, by task. */
  public static Map<UUID, String> dedupeKeys(List<OldTask> tasks) {
    Map<UUID, String> keys = new HashMap<>();
    for (OldTask task : tasks) {
      if (task.dedupeKey() != null) {
        keys.put(task.id(), task.dedupeKey());
      }
    }
    return keys;
  }

  private UUID successor(UUID task) {
    return newIds.getOrDefault(task, holders.getOrDefault(task, task));
  }

  /** By task that is not copied, the live task that takes its place. */
  public Map<UUID, UUID> holders() {
    return holders;
  }

  /** The tasks whose dependencies must be looked at, because one took the place of the other. */
  public List<UUID> events() {
    return Stream.concat(holders.keySet().stream(), holders.values().stream()).distinct().toList();
  }

  public List<OldTask> tasks() {
    return tasks;
  }

  /** The smallest new id; null when no task is left to copy. */
  public @Nullable UUID firstTask() {
    return tasks.isEmpty() ? null : newId(tasks.getFirst().id());
  }

  public UUID newId(UUID old) {
    UUID id = newIds.get(old);
    if (id == null) {
      throw new IllegalStateException("task " + old + " is not part of the run");
    }
    return id;
  }

  /** The parents in other batches and the holders, in the order in which rows are locked. */
  public List<UUID> storedParents() {
    return Stream.concat(
            dependencies.stream().map(Dependency::parent).filter(parent -> !own.contains(parent)),
            holders.values().stream())
        .distinct()
        .sorted(IdOrder.BYTEWISE)
        .toList();
  }

  public InitialDependencies initial(BatchDefinition definition, StoredParents storedParents) {
    // A parent that retention has deleted meanwhile had ended, and its end was propagated.
    List<Dependency> known =
        dependencies.stream()
            .filter(
                dependency ->
                    own.contains(dependency.parent())
                        || storedParents.contains(dependency.parent()))
            .toList();
    return new InitialDependencies(
        definition,
        holders.isEmpty() ? known : Deduplication.bound(known, parent -> parent),
        storedParents);
  }

  /** Tasks of other batches that depended on the old task depend on the new one. */
  public int observers(OldTask task, InitialDependencies initial) {
    return initial.observers(newId(task.id())) | Observers.RUN | (task.observers() & KEPT);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.IdOrder;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tasks of the next run of a batch: which task is copied under which id, and how it starts. */
public final class RunCopy {

  private static final int KEPT =
      Observers.CHILDREN | Observers.DEAD_END | Observers.PARENT_DEAD_END;

  /** A task of the run before, or of an earlier one if it was held back since. */
  public record OldTask(UUID id, int observers, boolean live, @Nullable String dedupeKey) {}

  /**
   * A task of any run of a batch.
   *
   * @param supersededBy the same task of a later run, or the live task that took its place
   */
  public record VersionedTask(OldTask task, int run, @Nullable UUID supersededBy) {}

  /**
   * What a run is copied from.
   *
   * @param tasks in the order of the submission, parents first
   * @param dependencies what they depend on
   */
  public record Source(List<OldTask> tasks, List<Dependency> dependencies) {

    public Source {
      tasks = List.copyOf(tasks);
      dependencies = List.copyOf(dependencies);
    }

    /**
     * The whole submission, from the newest task of each. One that was held back comes from an
     * earlier run. The dependencies come from the first run, since those of a later one are on the
     * live tasks that took the places of others.
     *
     * @param all the tasks of all runs, in the order of their ids
     * @param dependencies what they depend on
     */
    public static Source ofAllRuns(List<VersionedTask> all, List<Dependency> dependencies) {
      Map<UUID, VersionedTask> byId = new HashMap<>();
      all.forEach(version -> byId.put(version.task().id(), version));
      Map<UUID, OldTask> newest = new LinkedHashMap<>();
      all.stream()
          .filter(version -> version.run() == 0)
          .forEach(first -> newest.put(first.task().id(), newest(first, byId).task()));
      return new Source(
          List.copyOf(newest.values()),
          dependencies.stream()
              .filter(dependency -> newest.containsKey(dependency.child()))
              .map(
                  dependency ->
                      new Dependency(
                          newestId(newest, dependency.parent()),
                          newestId(newest, dependency.child()),
                          dependency.requiresSuccess()))
              .toList());
    }

    private static VersionedTask newest(VersionedTask first, Map<UUID, VersionedTask> byId) {
      VersionedTask found = first;
      for (VersionedTask next = byId.get(found.supersededBy());
          next != null && next.run() > found.run();
          next = byId.get(found.supersededBy())) {
        found = next;
      }
      return found;
    }

    private static UUID newestId(Map<UUID, OldTask> newest, UUID id) {
      OldTask task = newest.get(id);
      return task == null ? id : task.id();
    }
  }

  private final Map<UUID, UUID> newIds = new LinkedHashMap<>();
  private final Map<UUID, Integer> positions = new HashMap<>();
  private final List<OldTask> tasks;
  private final Map<UUID, UUID> holders;
  private final List<Dependency> dependencies;

  /**
   * @param held the tasks that are not copied
   */
  public RunCopy(Source source, HeldTasks held, Supplier<UUID> ids) {
    this.holders = held.holders();
    this.tasks = source.tasks().stream().filter(task -> !holders.containsKey(task.id())).toList();
    for (OldTask task : this.tasks) {
      UUID id = ids.get();
      newIds.put(task.id(), id);
      positions.put(id, positions.size());
    }
    this.dependencies =
        source.dependencies().stream()
            .filter(dependency -> newIds.containsKey(dependency.child()))
            .map(
                dependency ->
                    new Dependency(
                        dependency.parent(),
                        newId(dependency.child()),
                        dependency.requiresSuccess()))
            .toList();
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
            dependencies.stream()
                .map(Dependency::parent)
                .filter(parent -> !newIds.containsKey(parent) && !holders.containsKey(parent)),
            holders.values().stream())
        .distinct()
        .sorted(IdOrder.BYTEWISE)
        .toList();
  }

  public InitialDependencies initial(BatchDefinition definition, StoredParents storedParents) {
    // A task of this batch may have taken the place of a parent in another one: then its copy has.
    StoredParents parents = storedParents.with(newIds).with(holders);
    return new InitialDependencies(
        definition,
        dependencies.stream().filter(dependency -> isKept(dependency, parents)).toList(),
        parents);
  }

  /**
   * A parent that retention has deleted meanwhile had ended, and its end was propagated. A task
   * does not wait for one of its own batch that comes later, which may wait for it.
   */
  private boolean isKept(Dependency dependency, StoredParents parents) {
    Integer parent = positions.get(parents.current(dependency.parent()));
    Integer child = positions.get(dependency.child());
    if (parent == null || child == null) {
      return parents.contains(dependency.parent());
    }
    return parent < child;
  }

  /** Tasks of other batches that depended on the old task depend on the new one. */
  public int observers(OldTask task, InitialDependencies initial) {
    return initial.observers(newId(task.id())) | Observers.RUN | (task.observers() & KEPT);
  }
}

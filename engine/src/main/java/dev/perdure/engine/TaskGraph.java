// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.NewTask.DependencyOn;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.IdText;
import dev.perdure.engine.task.Shards;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The dependencies among the tasks of a batch, and on stored tasks. It orders the tasks parents
 * first; tasks that are in such an order already keep it. Takes time in proportion to tasks and
 * dependencies, whatever the depth.
 */
final class TaskGraph {

  /** Stands for a parent that is not one of the tasks. */
  private static final int STORED = -1;

  private static final int MAX_CYCLE_SHOWN = 20;

  private final List<NewTask> tasks;
  private final int shards;
  private final Map<String, Integer> indexById = new HashMap<>();
  private final Set<String> ambiguousIds = new HashSet<>();
  private final List<DependencyProblem> problems = new ArrayList<>();
  private final List<List<Integer>> parents = new ArrayList<>();
  private final List<UUID> storedParents = new ArrayList<>();
  private final List<Integer> order = new ArrayList<>();

  /**
   * @param shards how many shards the store has
   */
  TaskGraph(List<NewTask> tasks, int shards) {
    this.tasks = tasks;
    this.shards = shards;
    if (tasks.stream().allMatch(task -> task.dependencies.isEmpty())) {
      IntStream.range(0, tasks.size()).forEach(order::add);
      return;
    }
    for (int i = 0; i < tasks.size(); i++) {
      String id = tasks.get(i).localId;
      if (id != null && indexById.putIfAbsent(id, i) != null) {
        ambiguousIds.add(id);
      }
    }
    for (int i = 0; i < tasks.size(); i++) {
      parents.add(parentsOf(i));
    }
    if (problems.isEmpty()) {
      sort();
    }
  }

  /** What is wrong with the dependencies; empty when they can be stored. */
  List<DependencyProblem> problems() {
    return problems;
  }

  /** The indexes of the tasks, parents first. */
  List<Integer> order() {
    return order;
  }

  /** The shard of the stored tasks that the batch depends on; null when there are none. */
  @Nullable Integer shard() {
    return storedParents.isEmpty() ? null : (Integer) Shards.of(storedParents.getFirst());
  }

  /**
   * @param ids the ids of the tasks, in the order of the batch
   */
  List<Dependency> dependencies(List<UUID> ids) {
    List<Dependency> all = new ArrayList<>();
    for (int i = 0; i < tasks.size(); i++) {
      List<DependencyOn> given = tasks.get(i).dependencies;
      for (int j = 0; j < given.size(); j++) {
        int parent = parents.get(i).get(j);
        UUID id = parent == STORED ? UUID.fromString(given.get(j).id()) : ids.get(parent);
        all.add(new Dependency(id, ids.get(i), given.get(j).requiresSuccess()));
      }
    }
    return all;
  }

  private List<Integer> parentsOf(int task) {
    List<DependencyOn> given = tasks.get(task).dependencies;
    if (given.isEmpty()) {
      return List.of();
    }
    List<Integer> found = new ArrayList<>(given.size());
    Set<Object> seen = new HashSet<>();
    for (int j = 0; j < given.size(); j++) {
      String id = given.get(j).id();
      Integer index = indexById.get(id);
      UUID stored = index == null ? IdText.parse(id) : null;
      found.add(index == null ? STORED : index);
      String problem = problem(task, id, index, stored);
      if (problem == null && !seen.add(stored == null ? id : stored)) {
        problem = "names the task '%s' twice: remove one".formatted(id);
      }
      if (problem != null) {
        problems.add(new DependencyProblem(task, j, problem));
      } else if (stored != null) {
        storedParents.add(stored);
      }
    }
    return found;
  }

  private @Nullable String problem(
      int task, String id, @Nullable Integer index, @Nullable UUID stored) {
    if (ambiguousIds.contains(id)) {
      return "is unclear: two tasks have the id '%s'".formatted(id);
    }
    if (index != null) {
      return index == task ? "names the task itself" : null;
    }
    if (stored == null) {
      return "'%s' is neither the id of a task in this batch nor the UUID of a stored task"
          .formatted(id);
    }
    if (Shards.of(stored) >= shards) {
      return "there is no task " + stored;
    }
    return storedParents.isEmpty() || Shards.of(stored) == Shards.of(storedParents.getFirst())
        ? null
        : "task %s is in another shard than %s: submit what belongs together with the same shard_key"
            .formatted(stored, storedParents.getFirst());
  }

  /** Depth first, without recursion: each task comes after its parents. */
  private void sort() {
    int[] next = new int[tasks.size()]; // The parent to visit next; one too many when it is placed.
    Deque<Integer> path = new ArrayDeque<>();
    for (int start = 0; start < tasks.size(); start++) {
      if (next[start] == 0) {
        path.push(start);
      }
      while (!path.isEmpty()) {
        int task = path.element();
        int position = next[task]++;
        if (position == parents.get(task).size()) {
          order.add(path.pop());
          continue;
        }
        int parent = parents.get(task).get(position);
        if (parent == STORED) {
          continue;
        }
        if (next[parent] == 0) {
          path.push(parent);
        } else if (next[parent] <= parents.get(parent).size()) {
          problems.add(new DependencyProblem(task, position, cycle(path, parent)));
          return;
        }
      }
    }
  }

  /** The path leads from a child to its parent, and so on; its first element is the last task. */
  private String cycle(Deque<Integer> path, int repeated) {
    List<String> names = new ArrayList<>();
    names.add(name(repeated));
    for (int task : path) {
      names.add(name(task));
      if (task == repeated) {
        break;
      }
    }
    int cut = names.size() - MAX_CYCLE_SHOWN;
    String shown =
        names.stream()
            .limit(MAX_CYCLE_SHOWN)
            .collect(Collectors.joining(" → ", "", cut > 0 ? " → … (" + cut + " more)" : ""));
    return "is part of a cycle: " + shown + "; each runs before the next";
  }

  private String name(int task) {
    String id = tasks.get(task).localId;
    return id == null ? "task " + task : id;
  }
}

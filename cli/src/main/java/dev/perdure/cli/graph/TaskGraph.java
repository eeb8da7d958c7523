// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.graph;

import dev.perdure.client.BatchGraph;
import dev.perdure.client.DependencyInfo;
import dev.perdure.client.TaskInfo;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The tasks of a batch in their order, and their dependencies without cycles. Everything takes time
 * in proportion to the number of tasks and dependencies.
 */
public final class TaskGraph {

  /** Up to this many similar tasks are shown one by one. */
  private static final int MAX_SIMILAR = 6;

  /** How many of more similar tasks are shown; the others are merged. */
  private static final int SHOWN_SIMILAR = 3;

  private final List<GraphNode> nodes = new ArrayList<>();
  private final int[] levels;

  /** The graph as the server sends it, which may be incomplete or, by some fault, have a cycle. */
  public static TaskGraph of(BatchGraph graph) {
    return new TaskGraph(graph);
  }

  private TaskGraph(BatchGraph graph) {
    Map<UUID, Map<UUID, Boolean>> parentIds = parentIds(graph.links());
    Map<UUID, Optional<TaskInfo>> tasks = withOutsideParents(graph.tasks(), parentIds);
    Map<UUID, Integer> positions = new HashMap<>();
    tasks.keySet().forEach(id -> positions.put(id, positions.size()));
    tasks.forEach(
        (id, task) -> {
          Map<Integer, Boolean> parents = new TreeMap<>();
          if (task.isPresent()) {
            parentIds
                .getOrDefault(id, Map.of())
                .forEach((parent, required) -> parents.put(positions.get(parent), required));
          }
          nodes.add(new GraphNode(id, task, 1, parents));
        });
    this.levels = breakCyclesAndFindLevels();
  }

  private static Map<UUID, Map<UUID, Boolean>> parentIds(List<DependencyInfo> links) {
    Map<UUID, Map<UUID, Boolean>> parents = new HashMap<>();
    for (DependencyInfo link : links) {
      if (!link.parentId().equals(link.childId())) {
        parents
            .computeIfAbsent(link.childId(), child -> new LinkedHashMap<>())
            .merge(link.parentId(), link.requiresSuccess(), Boolean::logicalOr);
      }
    }
    return parents;
  }

  /** The tasks by id, and before each of them its parents in other batches, which are unknown. */
  private static Map<UUID, Optional<TaskInfo>> withOutsideParents(
      List<TaskInfo> tasks, Map<UUID, Map<UUID, Boolean>> parentIds) {
    Set<UUID> own = tasks.stream().map(TaskInfo::id).collect(Collectors.toSet());
    Map<UUID, Optional<TaskInfo>> all = new LinkedHashMap<>();
    for (TaskInfo task : tasks) {
      for (UUID parent : parentIds.getOrDefault(task.id(), Map.of()).keySet()) {
        if (!own.contains(parent)) {
          all.put(parent, Optional.empty());
        }
      }
      all.put(task.id(), Optional.of(task));
    }
    return all;
  }

  /** A task's level is one more than the highest of its parents'. */
  private int[] breakCyclesAndFindLevels() {
    int[] found = new int[nodes.size()];
    int[] unmet = nodes.stream().mapToInt(node -> node.parents().size()).toArray();
    boolean[] done = new boolean[nodes.size()];
    List<Map<Integer, Boolean>> children = children(nodes);
    Queue<Integer> ready = new ArrayDeque<>();
    for (int root = 0; root < nodes.size(); root++) {
      if (unmet[root] == 0) {
        ready.add(root);
      }
    }
    int next = 0;
    while (next < nodes.size()) {
      for (Integer node = ready.poll(); node != null; node = ready.poll()) {
        done[node] = true;
        for (int child : children.get(node).keySet()) {
          found[child] = Math.max(found[child], found[node] + 1);
          if (--unmet[child] == 0) {
            ready.add(child);
          }
        }
      }
      if (!done[next]) {
        // Every node that is left waits for a cycle: forget what this one waits for.
        nodes.get(next).parents().keySet().removeIf(parent -> !done[parent]);
        unmet[next] = 0;
        ready.add(next);
      } else {
        next++;
      }
    }
    return found;
  }

  /** The children of each node by position, in ascending order, and whether success is required. */
  static List<Map<Integer, Boolean>> children(List<GraphNode> nodes) {
    List<Map<Integer, Boolean>> children = new ArrayList<>();
    nodes.forEach(node -> children.add(new TreeMap<>()));
    for (int i = 0; i < nodes.size(); i++) {
      int child = i;
      nodes
          .get(i)
          .parents()
          .forEach((parent, required) -> children.get(parent).put(child, required));
    }
    return children;
  }

  /** Whether a task depends on another. */
  public boolean hasDependencies() {
    return nodes.stream().anyMatch(node -> !node.parents().isEmpty());
  }

  /** The tasks of this batch by level; the tasks of the first level depend on no other level. */
  public List<List<TaskInfo>> levels() {
    List<List<TaskInfo>> byLevel = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      while (byLevel.size() <= levels[i]) {
        byLevel.add(new ArrayList<>());
      }
      nodes.get(i).task().ifPresent(byLevel.get(levels[i])::add);
    }
    byLevel.removeIf(List::isEmpty);
    return byLevel;
  }

  /** What makes tasks similar: they cannot be told apart but by their names. */
  private record Similarity(
      Map<Integer, Boolean> parents, Map<Integer, Boolean> children, String status) {}

  /** The nodes to draw: of many similar tasks the first ones, and one node for all others. */
  public List<GraphNode> merged() {
    int[] drawnAs = new int[nodes.size()];
    List<GraphNode> merged = new ArrayList<>();
    for (List<Integer> group : similarTasks()) {
      int single = group.size() > MAX_SIMILAR ? SHOWN_SIMILAR : group.size();
      for (int i = 0; i < group.size(); i++) {
        if (i <= single) {
          GraphNode node = nodes.get(group.get(i));
          int size = i < single ? 1 : group.size() - single;
          merged.add(new GraphNode(node.id(), node.task(), size, new TreeMap<>()));
        }
        drawnAs[group.get(i)] = merged.size() - 1;
      }
    }
    for (int i = 0; i < nodes.size(); i++) {
      Map<Integer, Boolean> parents = merged.get(drawnAs[i]).parents();
      nodes.get(i).parents().forEach((parent, required) -> parents.put(drawnAs[parent], required));
    }
    return merged;
  }

  private Iterable<List<Integer>> similarTasks() {
    List<Map<Integer, Boolean>> children = children(nodes);
    Map<Similarity, List<Integer>> similar = new LinkedHashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      GraphNode node = nodes.get(i);
      String status = node.task().map(TaskInfo::statusText).orElse("");
      Similarity key = new Similarity(node.parents(), children.get(i), status);
      similar.computeIfAbsent(key, first -> new ArrayList<>()).add(i);
    }
    return similar.values();
  }
}

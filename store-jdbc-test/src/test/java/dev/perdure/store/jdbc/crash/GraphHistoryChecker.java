// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.crash.History.StoredHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Checks what tasks did with the tasks they depend on: none started before its parents had ended,
 * and exactly those failed because of a parent that had one that failed.
 */
final class GraphHistoryChecker {

  private final History history;
  private final Map<UUID, Task> tasks = new HashMap<>();

  GraphHistoryChecker(History history) {
    this.history = history;
    for (StoredHistory stored : history.stored()) {
      tasks.put(stored.task().id(), stored.task());
    }
  }

  List<String> violations() {
    List<String> violations = new ArrayList<>();
    Map<UUID, List<Execution>> executions = history.executionsByTask();
    Set<UUID> doomed = new HashSet<>();
    for (Dependency dependency : history.dependencies()) {
      Task parent = tasks.get(dependency.parent());
      if (parent == null || parent.times().endedAt() == null) {
        violations.add("the parent of " + dependency + " has not ended");
        continue;
      }
      if (dependency.requiresSuccess() && parent.state() != TaskState.SUCCESS) {
        doomed.add(dependency.child());
      }
      Instant ended = parent.times().endedAt();
      executions.getOrDefault(dependency.child(), List.of()).stream()
          .filter(execution -> execution.start().isBefore(ended))
          .forEach(
              execution ->
                  violations.add(
                      "task %s started at %s, before its parent %s ended at %s"
                          .formatted(dependency.child(), execution.start(), parent.id(), ended)));
    }
    for (Task task : tasks.values()) {
      checkEnd(task, doomed.contains(task.id()), violations);
    }
    return violations;
  }

  private static void checkEnd(Task task, boolean doomed, List<String> violations) {
    boolean failedUpstream = task.lastResult().giveUpReason() == TaskGiveUpReason.UPSTREAM_FAILED;
    if (failedUpstream != doomed) {
      violations.add(
          "task %s %s a failed parent, but is %s %s"
              .formatted(
                  task.id(),
                  doomed ? "has" : "does not have",
                  task.state(),
                  task.lastResult().giveUpReason()));
    }
    if (!doomed && !task.dependencies().equals(DependencyCounts.NONE)) {
      violations.add("task " + task.id() + " still counts " + task.dependencies());
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How the tasks of a submission start, given the state of the stored tasks that they depend on.
 * Immutable.
 */
public final class InitialDependencies {

  /** A dependency with the outcome that it starts with. */
  public record NewDependency(Dependency dependency, @Nullable DependencyOutcome outcome) {}

  private final List<NewDependency> rows = new ArrayList<>();
  private final Map<UUID, DependencyCounts> counts = new HashMap<>();
  private final Set<UUID> parents = new HashSet<>();

  /** Tasks that do not depend on others. */
  public static final InitialDependencies NONE = new InitialDependencies(List.of(), Map.of());

  /**
   * @param stored the status of each {@link Submission#storedParents stored parent}
   */
  public InitialDependencies(Submission submission, Map<UUID, ParentStatus> stored) {
    this(submission.dependencies(), stored);
  }

  private InitialDependencies(List<Dependency> dependencies, Map<UUID, ParentStatus> stored) {
    for (Dependency dependency : dependencies) {
      ParentStatus parent = stored.get(dependency.parent());
      boolean required = dependency.requiresSuccess();
      DependencyOutcome outcome = parent == null ? null : parent.outcomeFor(required, null);
      rows.add(new NewDependency(dependency, outcome));
      parents.add(dependency.parent());
      if (!DependencyOutcome.satisfies(outcome, required)) {
        DependencyCounts before = counts(dependency.child());
        counts.put(
            dependency.child(),
            new DependencyCounts(
                before.unmet() + 1,
                before.failed() + (outcome == DependencyOutcome.FAILED ? 1 : 0)));
      }
    }
  }

  public List<NewDependency> rows() {
    return List.copyOf(rows);
  }

  public DependencyCounts counts(UUID task) {
    return counts.getOrDefault(task, DependencyCounts.NONE);
  }

  /** True when another task of the submission depends on the task. */
  public boolean hasChildren(UUID task) {
    return parents.contains(task);
  }

  public TaskState state(NewTaskRow row) {
    return counts(row.id()).unmet() > 0 ? TaskState.WAITING : row.state();
  }

  /** The tasks that will fail because a stored task that they depend on failed before. */
  public List<UUID> doomed() {
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue().failed() > 0)
        .map(Map.Entry::getKey)
        .toList();
  }
}

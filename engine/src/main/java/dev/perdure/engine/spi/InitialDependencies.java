// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How the tasks of a submission start, given the state of the stored tasks that they depend on.
 * Immutable.
 */
public final class InitialDependencies {

  /**
   * A dependency with the outcome that it starts with.
   *
   * @param deferred true when the parent belongs to another batch that may run again: its end
   *     counts once that batch is final
   */
  public record NewDependency(
      Dependency dependency, @Nullable DependencyOutcome outcome, boolean deferred) {}

  private final List<NewDependency> rows = new ArrayList<>();
  private final Map<UUID, DependencyCounts> counts = new HashMap<>();
  private final Set<UUID> parents = new HashSet<>();
  private final Set<UUID> children = new HashSet<>();
  private final Set<UUID> undecidedParents = new LinkedHashSet<>();
  private final Set<UUID> deadEnds = new HashSet<>();
  private final Set<UUID> childrenOfDeadEnds = new HashSet<>();
  private final int batchObservers;

  /** Tasks that do not depend on others. */
  public static final InitialDependencies NONE =
      new InitialDependencies(BatchDefinition.NONE, List.of(), StoredParents.NONE);

  /**
   * @param stored the {@link Submission#storedParents stored parents}
   */
  public InitialDependencies(Submission submission, StoredParents stored) {
    this(submission.definition(), submission.dependencies(), stored);
    for (NewTaskRow row : submission.tasks()) {
      if (row.cancelAtDeadEnd()) {
        deadEnds.add(row.id());
      }
    }
    for (Dependency dependency : stored.bind(submission.dependencies())) {
      ParentStatus parent = stored.statuses().get(dependency.parent());
      boolean deadEnd =
          parent == null
              ? deadEnds.contains(dependency.parent())
              : (parent.observers() & Observers.DEAD_END) != 0;
      if (deadEnd) {
        childrenOfDeadEnds.add(dependency.child());
      }
    }
  }

  public InitialDependencies(
      BatchDefinition definition, List<Dependency> dependencies, StoredParents stored) {
    batchObservers =
        (definition.hasRuns() ? Observers.RUN : 0)
            | (definition.policy() != null ? Observers.MAY_RUN_AGAIN : 0);
    for (Dependency dependency : stored.bind(dependencies)) {
      ParentStatus parent = stored.statuses().get(dependency.parent());
      boolean required = dependency.requiresSuccess();
      boolean deferred = parent != null && parent.mayRunAgain();
      DependencyOutcome outcome =
          parent == null || deferred ? null : parent.outcomeFor(required, null);
      // It may have ended for good; a propagation finds out.
      if (deferred || (parent != null && parent.state().isTerminal() && outcome == null)) {
        undecidedParents.add(dependency.parent());
      }
      rows.add(new NewDependency(dependency, outcome, deferred));
      parents.add(dependency.parent());
      children.add(dependency.child());
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

  /** Returns whether the counts and observers of all tasks are the same. */
  public boolean isSameForAll() {
    return rows.isEmpty() && deadEnds.isEmpty();
  }

  public List<NewDependency> rows() {
    return List.copyOf(rows);
  }

  public DependencyCounts counts(UUID task) {
    return counts.getOrDefault(task, DependencyCounts.NONE);
  }

  /** Who must learn of the end of the task, and whether it has parents; see {@link Observers}. */
  public int observers(UUID task) {
    return batchObservers
        | (parents.contains(task) ? Observers.CHILDREN : 0)
        | (children.contains(task) ? Observers.HAS_PARENTS : 0)
        | (deadEnds.contains(task) ? Observers.DEAD_END : 0)
        | (childrenOfDeadEnds.contains(task) ? Observers.PARENT_DEAD_END : 0);
  }

  public TaskState state(NewTaskRow row) {
    return counts(row.id()).unmet() > 0 ? TaskState.WAITING : row.state();
  }

  /**
   * The tasks to record an event for: those that will fail because a stored task that they depend
   * on failed before, and the parents whose end may count already.
   */
  public List<UUID> events() {
    return Stream.concat(
            counts.entrySet().stream()
                .filter(entry -> entry.getValue().failed() > 0)
                .map(Map.Entry::getKey),
            undecidedParents.stream())
        .toList();
  }
}

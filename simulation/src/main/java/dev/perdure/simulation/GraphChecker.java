// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.spi.BatchStore;
import dev.perdure.engine.spi.DependencyStore;
import dev.perdure.engine.spi.DependencyStore.Propagation;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the dependencies of tasks. It follows the states of the parents itself, so that a mistake
 * in the store's counts cannot hide another one.
 */
final class GraphChecker {

  private final World world;
  private final Map<UUID, List<ExpectedDependency>> byChild = new LinkedHashMap<>();
  private final Map<UUID, List<ExpectedDependency>> byParent = new LinkedHashMap<>();
  private final Set<UUID> endedSincePropagation = new HashSet<>();
  private final Set<UUID> released = new HashSet<>();
  private final Map<String, Set<UUID>> liveParents = new HashMap<>();

  GraphChecker(World world) {
    this.world = world;
  }

  /** Records that a client submits a task that depends on this one, which has not ended. */
  void expectLive(String submission, UUID parent) {
    liveParents.computeIfAbsent(submission, name -> new HashSet<>()).add(parent);
  }

  /** Adds the dependencies of a submission; call it once, when its tasks are known. */
  void submitted(Submission submission) {
    Set<UUID> live = liveParents.getOrDefault("" + submission.definition().name(), Set.of());
    if (live.stream().anyMatch(parent -> task(parent).state().isTerminal())) {
      world.trace.covered(CoveragePoint.SUBMITTED_BESIDE_PARENT_END);
    }
    add(submission.dependencies(), submission.batch());
    submission.tasks().forEach(row -> requireCounts(row.id(), world.database));
  }

  /** Adds dependencies of new tasks. */
  void add(List<Dependency> dependencies, UUID batch) {
    world.batches.bind(dependencies).forEach(dependency -> add(dependency, batch));
  }

  private void add(Dependency dependency, UUID batch) {
    UUID parentBatch = task(dependency.parent()).batch();
    boolean stored = !parentBatch.equals(batch);
    boolean deferred = stored && world.batches.mayRunAgain(parentBatch);
    ExpectedDependency added =
        new ExpectedDependency(
            dependency.parent(), dependency.child(), dependency.requiresSuccess(), deferred);
    byChild.computeIfAbsent(added.child(), id -> new ArrayList<>()).add(added);
    byParent.computeIfAbsent(added.parent(), id -> new ArrayList<>()).add(added);
    world.trace.line("", "+ " + added);
    observe(added);
    if (stored && !deferred) {
      added.outcome(added.expected(task(added.parent()), true));
    }
  }

  private void observe(ExpectedDependency dependency) {
    Task parent = task(dependency.parent());
    dependency.observe(parent.state(), counts(dependency, parent));
  }

  /** Returns whether the parent's state counts: its batch may have to be final before it does. */
  private boolean counts(ExpectedDependency dependency, Task parent) {
    return !dependency.deferred() || world.batches.isSettled(parent);
  }

  /** Looks again at these tasks, whose batch has become final or may run again. */
  void observe(List<UUID> tasks) {
    tasks.stream().flatMap(this::onParent).forEach(this::observe);
  }

  /** Returns what this task depends on. */
  List<ExpectedDependency> ofChild(UUID child) {
    return byChild.getOrDefault(child, List.of());
  }

  private Stream<ExpectedDependency> onParent(UUID parent) {
    return List.copyOf(byParent.getOrDefault(parent, List.of())).stream();
  }

  /**
   * Returns whether a task of another batch got an outcome when the batch of this one was final.
   */
  boolean hasOutcomeInOtherBatch(UUID task) {
    return onParent(task)
        .anyMatch(dependency -> dependency.deferred() && dependency.outcome() != null);
  }

  boolean hasChildren(UUID task) {
    return byParent.containsKey(task);
  }

  /** Lets tasks of other batches depend on the copy of a task, unless it has satisfied them. */
  void moveDeferred(UUID from, UUID to) {
    if (hasOutcomeInOtherBatch(from)) {
      world.trace.covered(CoveragePoint.RUN_AGAIN_AFTER_OUTCOME);
    }
    List<ExpectedDependency> moved =
        onParent(from)
            .filter(dependency -> dependency.deferred() && !dependency.hasSatisfyingOutcome())
            .filter(dependency -> !dependsOn(dependency.child(), to))
            .toList();
    for (ExpectedDependency dependency : moved) {
      dependency.moveTo(to);
      world.trace.covered(CoveragePoint.DEPENDENCY_MOVED_TO_NEXT_RUN);
    }
    byParent.getOrDefault(from, new ArrayList<>()).removeAll(moved);
    byParent.computeIfAbsent(to, id -> new ArrayList<>()).addAll(moved);
  }

  /** A live task that takes the place of another can itself be the child, or its parent already. */
  private boolean dependsOn(UUID child, UUID parent) {
    return child.equals(parent)
        || ofChild(child).stream().anyMatch(dependency -> dependency.parent().equals(parent));
  }

  void claimed(UUID task) {
    requireSatisfied(task, "started");
  }

  private void requireSatisfied(UUID task, String what) {
    ofChild(task).stream()
        .filter(dependency -> !dependency.isSatisfied())
        .findFirst()
        .ifPresent(
            dependency ->
                world.violations.report(
                    Invariant.DEPENDENCIES_MET_BEFORE_START,
                    what + " before its time: " + dependency));
  }

  /** Follows a change that was applied. */
  void changed(TaskChange change, Task before, Task row) {
    if (change.event() == TaskEvent.FAIL_UPSTREAM) {
      world.violations.require(
          ofChild(row.id()).stream().anyMatch(ExpectedDependency::hasFailed),
          Invariant.UPSTREAM_FAILURE_HAS_A_CAUSE,
          Trace.shortId(row.id()) + " failed, but none of the tasks that it depends on did");
      world.trace.covered(CoveragePoint.UPSTREAM_FAILED);
    }
    if (change.resetsRetries()) {
      revived(change, before);
    }
    if (row.state().isTerminal() && hasChildren(row.id())) {
      endedSincePropagation.add(row.id());
    }
    onParent(row.id()).forEach(this::observe);
    if (!ofChild(row.id()).isEmpty()) {
      requireCounts(row.id(), world.database);
    }
  }

  private void revived(TaskChange change, Task before) {
    if (endedSincePropagation.contains(before.id())) {
      world.trace.covered(CoveragePoint.REVIVED_WHILE_PROPAGATING);
    }
    if (before.lastResult().giveUpReason() == TaskGiveUpReason.UPSTREAM_FAILED
        && !change.waivesDependencies()) {
      world.trace.covered(CoveragePoint.BROUGHT_BACK_BY_A_REVIVE);
    }
    for (ExpectedDependency dependency : ofChild(before.id())) {
      if (change.waivesDependencies()) {
        dependency.outcome(stored(dependency, world.database.batches()));
      }
      dependency.childRevived();
      observe(dependency);
    }
  }

  /** Compares all dependencies with the states of their parents after a propagation. */
  void propagated(Propagation done, TaskStore store, NodeProcess by) {
    endedSincePropagation.clear();
    if (!done.deadEnds().isEmpty()) {
      world.trace.covered(CoveragePoint.DEAD_END);
    }
    if (done.dependencies() > 0) {
      world.trace.line(by.name(), "propagates to " + done.dependencies() + " dependencies");
      byChild.keySet().forEach(child -> follow(store.reader().find(child).orElseThrow()));
      // A round may pass a failure on and take its cause back, which its own event follows later.
      List<ExpectedDependency> failed = new ArrayList<>();
      Map<ExpectedDependency, Optional<DependencyOutcome>> others = new LinkedHashMap<>();
      byChild.keySet().forEach(child -> addChanges(child, store, failed, others));
      failed.forEach(this::requireCause);
      others.forEach((dependency, outcome) -> dependency.outcome(outcome.orElse(null)));
      byChild.keySet().forEach(child -> propagatedTo(child, store));
    }
  }

  private void addChanges(
      UUID child,
      TaskStore store,
      List<ExpectedDependency> failed,
      Map<ExpectedDependency, Optional<DependencyOutcome>> others) {
    Map<UUID, ParentTask> parents = parents(child, store.batches());
    int ended = 0;
    for (ExpectedDependency dependency : ofChild(child)) {
      ParentTask parent = parents.get(dependency.parent());
      DependencyOutcome outcome = parent == null ? null : parent.outcome();
      if (outcome != dependency.outcome()) {
        requireMayChange(dependency, outcome);
        ended += hasEndedItself(dependency) ? 1 : 0;
        if (outcome == DependencyOutcome.FAILED) {
          dependency.outcome(outcome);
          failed.add(dependency);
        } else {
          others.put(dependency, Optional.ofNullable(outcome));
        }
      }
    }
    if (ended > 1) {
      world.trace.covered(CoveragePoint.TWO_PARENTS_ENDED_AT_ONCE);
    }
  }

  /** Returns whether the first outcome follows from an end of the parent's own. */
  private boolean hasEndedItself(ExpectedDependency dependency) {
    Task parent = task(dependency.parent());
    return dependency.outcome() == null
        && parent.state().isTerminal()
        && !ExpectedDependency.isUpToItsParents(parent);
  }

  private void requireCause(ExpectedDependency dependency) {
    Task parent = task(dependency.parent());
    boolean upToItsParents =
        ExpectedDependency.isUpToItsParents(parent) && world.batches.isCurrent(parent);
    world.violations.require(
        !dependency.required()
            || (upToItsParents
                ? ofChild(parent.id()).stream().anyMatch(ExpectedDependency::hasFailed)
                : parent.state().isTerminal()),
        Invariant.OUTCOME_MATCHES_PARENT,
        dependency + " has failed, but neither its parent nor a task above it has");
  }

  private void follow(Task row) {
    if (!row.equals(task(row.id())) && world.checker.propagated(row)) {
      released.add(row.id());
      world.trace.covered(
          row.paused() ? CoveragePoint.PAUSED_CHILD_RELEASED : CoveragePoint.RELEASED);
    }
  }

  private void propagatedTo(UUID child, TaskStore store) {
    if (released.remove(child)) {
      requireSatisfied(child, "released");
    }
    requireCounts(child, store);
  }

  private void requireMayChange(
      ExpectedDependency dependency, @Nullable DependencyOutcome outcome) {
    Task parent = task(dependency.parent());
    world.violations.require(
        counts(dependency, parent),
        Invariant.PROPAGATED_WHEN_BATCH_IS_FINAL,
        dependency + " got another outcome before the batch of its parent was final");
    world.violations.require(
        outcome == null || parent.state() != TaskState.RETRY_PENDING,
        Invariant.RETRY_NOT_PROPAGATED,
        dependency + " got an outcome, although its parent will be retried");
    // A parent with an event of its own parents in the queue may change once more.
    if (!ExpectedDependency.isUpToItsParents(parent)) {
      requireExpected(dependency, outcome);
    }
  }

  private void requireExpected(ExpectedDependency dependency, @Nullable DependencyOutcome outcome) {
    Task parent = task(dependency.parent());
    DependencyOutcome expected = dependency.expected(parent, world.batches.isCurrent(parent));
    boolean matches =
        dependency.required() ? outcome == expected : (outcome == null) == (expected == null);
    world.violations.require(
        matches,
        Invariant.OUTCOME_MATCHES_PARENT,
        "%s has outcome %s instead of %s; its parent is %s"
            .formatted(dependency, outcome, expected, parent.state()));
  }

  /** Counts the dependencies of the task and compares the result with its row. */
  private void requireCounts(UUID child, TaskStore store) {
    Map<UUID, ParentTask> parents = parents(child, store.batches());
    int unmet = 0;
    int failed = 0;
    for (ParentTask parent : parents.values()) {
      boolean required = parent.requiresSuccess();
      unmet += DependencyOutcome.satisfies(parent.outcome(), required) ? 0 : 1;
      failed += required && parent.outcome() == DependencyOutcome.FAILED ? 1 : 0;
    }
    Task row = store.reader().find(child).orElseThrow();
    world.violations.require(
        row.dependencies().equals(new DependencyCounts(unmet, failed)),
        Invariant.COUNTS_MATCH_DEPENDENCIES,
        "%s has %s, but %d unmet dependencies, %d of them failed"
            .formatted(Trace.shortId(child), row.dependencies(), unmet, failed));
    Map<UUID, Boolean> expected = new HashMap<>();
    ofChild(child).forEach(each -> expected.put(each.parent(), each.required()));
    Map<UUID, Boolean> found = new HashMap<>();
    parents.forEach((id, parent) -> found.put(id, parent.requiresSuccess()));
    world.violations.require(
        found.equals(expected),
        Invariant.COUNTS_MATCH_DEPENDENCIES,
        Trace.shortId(child) + " depends on " + found + " instead of " + expected);
  }

  private static Map<UUID, ParentTask> parents(UUID child, BatchStore batches) {
    Map<UUID, ParentTask> parents = new LinkedHashMap<>();
    batches.parents(child, Integer.MAX_VALUE).forEach(parent -> parents.put(parent.id(), parent));
    return parents;
  }

  private static @Nullable DependencyOutcome stored(
      ExpectedDependency dependency, BatchStore batches) {
    ParentTask parent = parents(dependency.child(), batches).get(dependency.parent());
    return parent == null ? null : parent.outcome();
  }

  /** Compares the counts of all tasks. */
  void checkCounts() {
    byChild.keySet().forEach(child -> requireCounts(child, world.database));
  }

  /** Checks what holds when everything has been propagated. */
  void checkFinalState() {
    checkCounts();
    byChild.keySet().forEach(child -> requireCause(task(child)));
    for (List<ExpectedDependency> dependencies : byChild.values()) {
      for (ExpectedDependency dependency : dependencies) {
        if (counts(dependency, task(dependency.parent()))) {
          requireExpected(dependency, stored(dependency, world.database.batches()));
        }
      }
    }
    Propagation left = world.database.dependencies().propagate(DependencyStore.MAX_BATCH_SIZE);
    world.violations.require(
        left.events() + left.dependencies() == 0
            && left.deadEnds().isEmpty()
            && left.undecided().stream().map(this::task).allMatch(world.dedupe::isKeyTaken),
        Invariant.NO_EVENT_LEFT,
        "there are events that no propagation finishes: " + left);
  }

  /**
   * A task of an earlier run stays as it is, whatever becomes of its parents. One whose dedupe key
   * a live task has comes back when that one has ended.
   */
  private void requireCause(Task task) {
    world.violations.require(
        task.lastResult().giveUpReason() != TaskGiveUpReason.UPSTREAM_FAILED
            || !world.batches.isCurrent(task)
            || world.dedupe.isKeyTaken(task)
            || task.dependencies().failed() > 0,
        Invariant.UPSTREAM_FAILURE_HAS_A_CAUSE,
        Trace.shortId(task.id()) + " stays failed, but no task that it depends on has failed");
  }

  private Task task(UUID id) {
    return world.checker.last(id);
  }
}

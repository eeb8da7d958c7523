// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;

import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.HeldTasks;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.spi.StoredParents;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checks the runs of batches. */
final class BatchChecker {

  /** A batch and its current run. */
  private static final class ExpectedBatch {
    final BatchDefinition definition;
    List<UUID> tasks;

    /** By task of the first run, the same task of the last run that had it. */
    final Map<UUID, UUID> newest = new LinkedHashMap<>();

    boolean keepsRuns;
    int run;
    boolean decided;
    @Nullable Instant nextRunAt;
    boolean stopped;

    ExpectedBatch(BatchDefinition definition, List<UUID> tasks) {
      this.definition = definition;
      this.tasks = tasks;
      tasks.forEach(id -> newest.put(id, id));
      this.keepsRuns = definition.hasRuns();
    }

    boolean isFinal() {
      return !keepsRuns || (decided && nextRunAt == null);
    }

    /** The tasks to copy: a task that was held back comes from an earlier run. */
    List<UUID> toCopy() {
      return List.copyOf(newest.values());
    }

    /** The run has to be decided about once more. */
    void reopen() {
      decided = false;
      nextRunAt = null;
    }
  }

  private final World world;
  private final Map<UUID, ExpectedBatch> batches = new LinkedHashMap<>();
  private final Map<UUID, UUID> allCopies = new HashMap<>();

  BatchChecker(World world) {
    this.world = world;
  }

  void submitted(Submission submission) {
    batches.put(
        submission.batch(),
        new ExpectedBatch(
            submission.definition(),
            submission.tasks().stream().map(Submission.NewTaskRow::id).toList()));
  }

  /** A dependency on a task of an earlier run is one on the same task of the current run. */
  List<Dependency> bind(List<Dependency> dependencies) {
    return new StoredParents(Map.of(), allCopies).bind(dependencies);
  }

  /** Returns whether its ends are propagated to other batches only when it is final. */
  boolean mayRunAgain(UUID batch) {
    return batch(batch).definition.policy() != null;
  }

  /** Returns whether the end of the task counts for tasks of other batches. */
  boolean isSettled(Task task) {
    return !mayRunAgain(task.batch()) || !isCurrent(task) || batch(task.batch()).isFinal();
  }

  boolean isCurrent(Task task) {
    return task.run() == batch(task.batch()).run;
  }

  boolean isStopped(UUID batch) {
    return batch(batch).stopped;
  }

  List<UUID> currentTasks(UUID batch) {
    return batch(batch).tasks;
  }

  List<UUID> ids() {
    return List.copyOf(batches.keySet());
  }

  /** Returns the batches that have not ended. */
  List<UUID> notFinal() {
    return batches.entrySet().stream()
        .filter(entry -> !entry.getValue().isFinal())
        .map(Map.Entry::getKey)
        .toList();
  }

  void changed(TaskChange change, Task row) {
    boolean endsAnew = change.resetsRetries() || change.event() == TaskEvent.RESOLVE;
    if (endsAnew && isCurrent(row)) {
      reopen(batch(row.batch()));
    }
  }

  void stopped(UUID id) {
    ExpectedBatch batch = batch(id);
    world.trace.line("", "! " + Trace.shortId(id) + " is stopped");
    batch.stopped = true;
    if (batch.nextRunAt != null) {
      reopen(batch);
    }
  }

  private void reopen(ExpectedBatch batch) {
    batch.reopen();
    world.graphs.observe(batch.tasks);
  }

  void ended(RunDecision decision, NodeProcess by) {
    ExpectedBatch batch = batch(decision.batch());
    Duration delay = decision.delay();
    trace(by, decision.batch(), "run " + decision.run() + " ended, next run in " + delay);
    require(
        decision.run() == batch.run && !batch.decided && allEnded(batch),
        decision.batch(),
        "run %d was decided, but the current run %d has %s"
            .formatted(decision.run(), batch.run, batch.decided ? "been decided" : "live tasks"));
    require(
        decision.outcome() == outcome(batch),
        decision.batch(),
        "run %d ended as %s, but its tasks as %s"
            .formatted(decision.run(), decision.outcome(), outcome(batch)));
    require(
        delay == null || (batch.definition.policy() != null && !batch.stopped),
        decision.batch(),
        "it runs again, although it is stopped or has no policy");
    batch.decided = true;
    if (delay == null) {
      world.graphs.observe(batch.tasks);
    } else {
      batch.nextRunAt = world.now().plusMillis(delay.toMillis());
    }
    decision
        .deliveries()
        .forEach(
            delivery ->
                world.checker.expectDelivery(
                    decision.deliveryTask(), delivery.message().request()));
    for (Submission followUp : decision.followUps()) {
      world.trace.covered(CoveragePoint.FOLLOW_UP_SUBMITTED);
      world.checker.submitted(followUp, followUp.stored(), world.database.reader());
    }
  }

  private BatchOutcome outcome(ExpectedBatch batch) {
    Set<TaskState> states =
        batch.tasks.stream().map(id -> world.checker.last(id).state()).collect(toSet());
    if (states.contains(TaskState.FAILURE)) {
      return BatchOutcome.FAILURE;
    }
    return states.contains(TaskState.CANCELED) ? BatchOutcome.CANCELED : BatchOutcome.SUCCESS;
  }

  private boolean allEnded(ExpectedBatch batch) {
    return batch.tasks.stream().allMatch(id -> world.checker.last(id).state().isTerminal());
  }

  /** An operator wants another run. */
  void runAgain(UUID id, NodeProcess by) {
    ExpectedBatch batch = batch(id);
    trace(by, id, "is to run again");
    require(allEnded(batch), id, "it runs again, although it has live tasks");
    batch.keepsRuns = true;
    batch.decided = true;
    batch.nextRunAt = world.now();
    batch.stopped = false;
    world.graphs.observe(batch.tasks);
    world.trace.covered(CoveragePoint.RUN_AGAIN_BY_OPERATOR);
  }

  /**
   * Another run was started.
   *
   * @param ids the ids of its tasks, in the order of the tasks that they copy
   */
  void started(DueRun run, List<UUID> ids, NodeProcess by) {
    ExpectedBatch batch = batch(run.batch());
    trace(by, run.batch(), "run " + run.number() + " starts with " + ids.size() + " tasks");
    require(
        batch.nextRunAt != null && !world.now().isBefore(batch.nextRunAt),
        run.batch(),
        "run %d started at %s, but its next run is due at %s"
            .formatted(run.number(), world.now(), batch.nextRunAt));
    Map<UUID, Task> held = world.dedupe.held(batch.toCopy());
    List<UUID> before = batch.toCopy().stream().filter(id -> !held.containsKey(id)).toList();
    require(
        run.number() == batch.run + 1
            && ids.size() == before.size()
            && !batch.stopped
            && !mustWait(batch, held),
        run.batch(),
        "run %d with %d tasks started after run %d with %d tasks, %s of them held"
            .formatted(run.number(), ids.size(), batch.run, batch.newest.size(), held));
    if (world.violations.first() != null) {
      return;
    }
    Map<UUID, List<Dependency>> dependencies = dependencies(batch);
    batch.run++;
    batch.tasks = List.copyOf(ids);
    batch.reopen();
    held.forEach((task, holder) -> allCopies.put(task, holder.id()));
    copy(run.batch(), before, ids, dependencies);
    held.forEach((task, holder) -> world.graphs.moveDeferred(task, holder.id()));
    world.graphs.observe(List.copyOf(held.keySet()));
    if (!held.isEmpty()) {
      world.trace.covered(CoveragePoint.RUN_WITHOUT_DUPLICATE);
    }
  }

  /** Returns whether a run waits for live tasks that have the keys of its tasks. */
  private boolean mustWait(ExpectedBatch batch, Map<UUID, Task> held) {
    return held.size() == batch.newest.size()
        || held.values().stream()
            .anyMatch(task -> task.state() == TaskState.WAITING || mayRunAgain(task.batch()));
  }

  /**
   * What the tasks to copy depend on. If one was held back in the last run, what depends on it
   * depended on another task there, so the first run counts.
   */
  private Map<UUID, List<Dependency>> dependencies(ExpectedBatch batch) {
    boolean anyHeld = batch.tasks.size() < batch.newest.size();
    Map<UUID, List<Dependency>> dependencies = new HashMap<>();
    batch.newest.forEach(
        (first, newest) ->
            dependencies.put(
                newest,
                world.graphs.ofChild(anyHeld ? first : newest).stream()
                    .map(
                        found ->
                            new Dependency(
                                batch.newest.getOrDefault(found.parent(), found.parent()),
                                newest,
                                found.required()))
                    .toList()));
    return dependencies;
  }

  private void copy(
      UUID batch, List<UUID> before, List<UUID> ids, Map<UUID, List<Dependency>> dependencies) {
    Map<UUID, UUID> copies = new HashMap<>();
    for (int i = 0; i < Math.min(ids.size(), before.size()); i++) {
      copies.put(before.get(i), ids.get(i));
      world.checker.copied(before.get(i), ids.get(i));
    }
    allCopies.putAll(copies);
    batch(batch).newest.replaceAll((first, newest) -> copies.getOrDefault(newest, newest));
    for (UUID old : before) {
      List<Dependency> added = new ArrayList<>();
      UUID child = requireNonNull(copies.get(old), "copy");
      for (Dependency dependency : dependencies.getOrDefault(old, List.of())) {
        Dependency copied =
            new Dependency(dependency.parent(), child, dependency.requiresSuccess());
        UUID parent = bind(List.of(copied)).getFirst().parent();
        // A task that waited for a later one of its batch, in place of another, would never run.
        if (!ids.subList(ids.indexOf(child), ids.size()).contains(parent)) {
          added.add(copied);
        }
      }
      world.graphs.add(added, batch);
      world.graphs.moveDeferred(old, child);
    }
  }

  /** A run was not started because it was not due any more. */
  void notStarted(DueRun run) {
    ExpectedBatch batch = batch(run.batch());
    if (run.number() <= batch.run) {
      world.trace.covered(CoveragePoint.RUN_STARTED_BY_TWO_NODES);
    } else if (batch.nextRunAt != null && !batch.nextRunAt.isAfter(world.now())) {
      require(
          mustWait(batch, world.dedupe.held(batch.toCopy())),
          run.batch(),
          "run " + run.number() + " was put off for no reason");
      batch.nextRunAt = world.now().plus(HeldTasks.DELAY);
      world.trace.covered(CoveragePoint.RUN_PUT_OFF_FOR_KEY);
    }
  }

  /** Returns the live tasks for which the runs of batches wait, and which may wait for them. */
  List<UUID> blockingRuns() {
    return batches.values().stream()
        .filter(batch -> batch.nextRunAt != null)
        .flatMap(batch -> world.dedupe.held(batch.toCopy()).values().stream())
        .filter(task -> task.state() == TaskState.WAITING)
        .map(Task::id)
        .toList();
  }

  private void trace(NodeProcess by, UUID batch, String what) {
    world.trace.line(by.name(), "batch " + Trace.shortId(batch) + " " + what);
  }

  private void require(boolean holds, UUID batch, String what) {
    world.violations.require(
        holds, Invariant.ONE_RUN_PER_DECISION, "batch " + Trace.shortId(batch) + ": " + what);
  }

  private ExpectedBatch batch(UUID id) {
    return requireNonNull(batches.get(id), "batch");
  }
}

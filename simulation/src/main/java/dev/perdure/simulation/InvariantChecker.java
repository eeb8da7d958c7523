// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.spi.LimitStore.RulesChange;
import dev.perdure.engine.spi.LimitStore.RulesChanged;
import dev.perdure.engine.spi.MaintenanceStore.LimitSweep;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** Checks the invariants of all tasks, and the responses that clients got to their submissions. */
final class InvariantChecker {

  private final World world;
  private final Map<UUID, TaskChecker> tasks = new LinkedHashMap<>();
  private final Set<UUID> acknowledged = new HashSet<>();
  private final Set<String> appliedSubmissions = new HashSet<>();
  private final Set<String> failedSubmissions = new HashSet<>();
  private final Set<String> unknownSubmissions = new HashSet<>();
  private Instant lastChangeAt = Instant.MIN;

  InvariantChecker(World world) {
    this.world = world;
  }

  void submitted(Submission submission, SubmissionReceipt receipt, TaskReader reader) {
    appliedSubmissions.add(submissionOf(submission.tasks().getFirst().definition()));
    appliedSubmissions.forEach(this::requireNotFailed);
    // An engine repeats a submission whose response was lost. Its tasks are already known then.
    if (world.dedupe.isRepeated(submission, receipt)) {
      return;
    }
    Submission stored = world.dedupe.stored(submission, receipt);
    if (stored == null || world.violations.first() != null) {
      return;
    }
    for (Submission.NewTaskRow row : stored.tasks()) {
      Task task = reader.find(row.id()).orElseThrow();
      world.violations.require(
          task.definition().equals(row.definition()),
          Invariant.ACKNOWLEDGED_WRITE_DURABLE,
          "%s was stored instead of %s".formatted(task.definition(), row.definition()));
      add(task, row.due());
    }
    world.batches.submitted(stored);
    world.graphs.submitted(stored);
    world.limits.submitted(stored);
  }

  private void add(Task task, DueTime due) {
    world.trace.line("", "+ " + Trace.shortId(task.id()) + " " + task.definition().kind());
    tasks.put(task.id(), new TaskChecker(world, task, due));
    world.dedupe.requireOnlyHolder(task);
  }

  /** Adds the copy of a task in a new run of its batch. */
  void copied(UUID original, UUID id) {
    Task copy = world.database.reader().find(id).orElseThrow();
    Task expected = last(original);
    world.violations.require(
        copy.definition().equals(expected.definition())
            && copy.batch().equals(expected.batch())
            && world.batches.isCurrent(copy)
            && Objects.equals(copy.progress().expected(), expected.progress().expected()),
        Invariant.ONE_RUN_PER_DECISION,
        "the copy " + copy + " differs from its original " + expected);
    add(copy, DueTime.now());
    world.limits.copied(original, id);
  }

  /** Follows what a propagation did to a task; returns whether the task waits no longer. */
  boolean propagated(Task row) {
    return checker(row.id()).propagated(row);
  }

  /** Returns the task as it was last written. */
  Task last(UUID id) {
    return checker(id).last();
  }

  /** A duplicate was to replace the payload of this live task. */
  void replaced(UUID id, Submission.NewTaskRow by) {
    checker(id).replaced(by, world.database.reader().find(id).orElseThrow());
  }

  private TaskChecker checker(UUID id) {
    return requireNonNull(tasks.get(id), "task");
  }

  /** Expects a delivery that is listed under this task. */
  void expectDelivery(UUID id, String request) {
    checker(id).ends().add(request);
  }

  private void requireNotFailed(String submission) {
    world.violations.require(
        !failedSubmissions.contains(submission) || !appliedSubmissions.contains(submission),
        Invariant.FAILED_WRITE_NOT_APPLIED,
        "submission " + submission + " failed, but was applied");
  }

  /** Returns the number of the submission, which is the name of its tasks. */
  private static String submissionOf(TaskDefinition definition) {
    return requireNonNull(definition.name(), "name");
  }

  /**
   * Checks the answer that a client got.
   *
   * @param since when the client sent the submission
   */
  void acknowledged(String submission, SubmissionReceipt receipt, Instant since) {
    acknowledged.addAll(receipt.ids());
    receipt.ids().forEach(this::requireStored);
    for (int i = 0; i < receipt.ids().size() && world.violations.first() == null; i++) {
      Task task = last(receipt.ids().get(i));
      if (receipt.isDuplicate(i)) {
        world.dedupe.requireLiveSince(task, since);
      } else {
        world.violations.require(
            submissionOf(task.definition()).equals(submission),
            Invariant.NO_LOST_TASK,
            "the answer to submission " + submission + " names the task of another: " + task);
      }
    }
  }

  private void requireStored(UUID id) {
    world.violations.require(
        tasks.containsKey(id) && world.database.reader().find(id).isPresent(),
        Invariant.NO_LOST_TASK,
        Trace.shortId(id) + " was acknowledged, but is not stored");
  }

  /** Records that the client got an error that says that nothing was stored. */
  void submitFailed(String submission) {
    failedSubmissions.add(submission);
    requireNotFailed(submission);
  }

  /** Records that the client got an error that leaves open whether the tasks were stored. */
  void submitUnknown(String submission) {
    unknownSubmissions.add(submission);
  }

  /** Checks that the row has not changed since it was last seen. */
  void requireUnchanged(UUID id, TaskReader reader) {
    TaskChecker checker = tasks.get(id);
    if (checker != null) {
      checker.requireUnchanged(reader.find(id).orElse(null));
    }
  }

  void applied(TaskChange change, WriteResult result, NodeProcess by, TaskReader reader) {
    TaskChecker checker = tasks.get(change.task());
    if (checker == null) {
      requireKnown(!result.applied(), change.task());
      return;
    }
    Task row = reader.find(change.task()).orElseThrow();
    if (result.applied()) {
      world.trace.line(by.name(), "= " + describe(change) + " due " + row.times().dueAt());
      lastChangeAt = world.now();
      Task before = checker.last();
      checker.changed(change, row, by, reader.attempts(change.task(), Integer.MAX_VALUE));
      world.batches.changed(change, row);
      world.graphs.changed(change, before, row);
      world.limits.changed(change, before, row);
      world.dedupe.requireOnlyHolder(row);
    } else {
      world.trace.line(by.name(), "x " + describe(change));
      checker.refused(change, row);
    }
  }

  private static String describe(TaskChange change) {
    return Trace.shortId(change.task())
        + " epoch "
        + change.guard().epoch()
        + " attempt "
        + change.guard().attempt()
        + " "
        + change.event()
        + " → "
        + change.to().text();
  }

  /** Checks that exactly the live tasks of the kind in the batch have other rules now. */
  void rulesChanged(RulesChange change, RulesChanged changed, NodeProcess by) {
    world.trace.line(
        by.name(),
        "= rules of %s in batch %s: %s"
            .formatted(change.kind(), Trace.shortId(change.batch()), change.rules()));
    List<Task> rows = new ArrayList<>();
    for (TaskChecker task : tasks.values()) {
      Task before = task.last();
      if (before.batch().equals(change.batch())) {
        Task row = world.database.reader().find(before.id()).orElseThrow();
        if (before.state().isLive() && before.definition().kind().equals(change.kind())) {
          task.rewritten(
              ExpectedRows.withRules(
                  before, change.rules(), world.kindLimits.isLimited(change.kind())),
              row,
              Invariant.ACKNOWLEDGED_WRITE_DURABLE);
          rows.add(row);
        } else {
          task.requireUnchanged(row);
        }
      }
    }
    world.violations.require(
        changed.tasks() == rows.size(),
        Invariant.ACKNOWLEDGED_WRITE_DURABLE,
        "the rules of " + changed.tasks() + " tasks were changed instead of " + rows.size());
    world.limits.rulesChanged(rows);
  }

  void swept(LimitSweep sweep) {
    world.limits.swept();
    world.violations.require(
        sweep.corrected() == 0,
        Invariant.SWEEP_CORRECTS_NOTHING,
        sweep.corrected() + " limits were corrected");
  }

  void claimed(Lease lease, NodeProcess by, TaskReader reader) {
    Task row = reader.find(lease.task().id()).orElseThrow();
    world.trace.line(
        by.name(), "< " + Trace.shortId(row.id()) + " epoch " + row.epoch() + " claimed");
    TaskChecker checker = tasks.get(row.id());
    requireKnown(checker != null, row.id());
    if (checker != null) {
      checker.claimed(row);
      world.graphs.claimed(row.id());
    }
  }

  private void requireKnown(boolean known, UUID id) {
    world.violations.require(
        known,
        Invariant.NO_UNREQUESTED_CHANGE,
        Trace.shortId(id) + " was stored, but neither submitted nor part of a run");
  }

  /** Records that the node received the lease. */
  void claimReceived(LeaseKey key) {
    TaskChecker checker = tasks.get(key.task());
    if (checker != null) {
      checker.claimReceived(key);
    }
  }

  void started(SimulatedExecution execution) {
    TaskChecker checker = tasks.get(execution.key().task());
    if (checker != null) {
      checker.started(execution);
    }
  }

  void heartbeatRecorded(LeaseKey key, WriteResult result, TaskReader reader) {
    TaskChecker checker = tasks.get(key.task());
    if (checker != null && result.applied()) {
      checker.heartbeatRecorded(reader.find(key.task()).orElseThrow());
    }
  }

  void listenerNotified(TaskChange change, NodeProcess by) {
    TaskChecker checker = tasks.get(change.task());
    if (checker != null) {
      checker.listenerNotified(change, by);
    }
  }

  Collection<TaskChecker> tasks() {
    return tasks.values();
  }

  /** Returns the live tasks that can run. */
  List<Task> unfinished() {
    return tasks.values().stream()
        .filter(TaskChecker::isUnfinished)
        .map(TaskChecker::last)
        .filter(task -> !isStuck(task))
        .toList();
  }

  /** Returns whether nothing changes any more; a task that cannot run may still expire. */
  boolean isFinished() {
    return lastChangeAt.isBefore(world.now())
        && tasks.values().stream().noneMatch(task -> task.isUnfinished() && !isStuck(task.last()))
        && unfinishedBatches().isEmpty()
        && world.schedules.active().isEmpty();
  }

  /** Returns the batches that are not final, although all their tasks have ended. */
  List<UUID> unfinishedBatches() {
    return world.batches.notFinal().stream()
        .filter(
            batch ->
                world.batches.currentTasks(batch).stream()
                    .allMatch(id -> last(id).state().isTerminal()))
        .toList();
  }

  /**
   * Returns whether the task is parked, or waits for one that is, or for the key of one that is.
   */
  private boolean isStuck(Task task) {
    return isStuck(task, new HashSet<>());
  }

  /**
   * @param seen the tasks that were looked at: tasks that wait for each other are not stuck in this
   *     sense, but never end
   */
  private boolean isStuck(Task task, Set<UUID> seen) {
    if (!task.state().isLive()) {
      Task holder = world.dedupe.otherHolder(task);
      return holder != null && isStuck(holder, seen);
    }
    return seen.add(task.id())
        && (task.parked()
            || (task.state() == TaskState.WAITING
                && world.graphs.ofChild(task.id()).stream()
                    .filter(dependency -> !dependency.isSatisfied())
                    .anyMatch(dependency -> isStuck(dependency, seen))));
  }

  private boolean isStuck(ExpectedDependency dependency, Set<UUID> seen) {
    Task parent = last(dependency.parent());
    return dependency.deferred()
        ? world.batches.currentTasks(parent.batch()).stream()
            .anyMatch(id -> isStuck(last(id), seen))
        : isStuck(parent, seen);
  }

  /** Compares every expected row with the database. */
  void checkRows() {
    acknowledged.forEach(this::requireStored);
    TaskReader reader = world.database.reader();
    tasks.values().forEach(task -> task.requireUnchanged(reader.find(task.id()).orElse(null)));
    world.graphs.checkCounts();
    world.limits.checkUse();
    world.dedupe.checkKeys();
    world.schedules.checkRows();
  }

  /** Checks the invariants that hold after all tasks have ended. */
  void checkFinalState() {
    checkRows();
    world.graphs.checkFinalState();
    TaskReader reader = world.database.reader();
    tasks
        .values()
        .forEach(task -> task.checkFinalState(reader.attempts(task.id(), Integer.MAX_VALUE)));
    for (SimulatedExecution execution : world.executions.all()) {
      world.violations.require(
          reader.attempts(execution.key().task(), Integer.MAX_VALUE).stream()
              .anyMatch(attempt -> attempt.epoch() == execution.key().epoch()),
          Invariant.EXECUTION_HAS_RECORD,
          "no attempt record of " + execution.describe());
    }
    DeliveryChecker.check(world);
    Set<String> stored = new HashSet<>();
    tasks.values().forEach(task -> stored.add(submissionOf(task.last().definition())));
    for (String submission : unknownSubmissions) {
      world.trace.covered(
          stored.contains(submission)
              ? CoveragePoint.SUBMIT_UNKNOWN_BUT_COMMITTED
              : CoveragePoint.SUBMIT_UNKNOWN_AND_NOT_COMMITTED);
    }
  }
}

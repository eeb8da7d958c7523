// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.DeliveryPage;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The history of every task that the database ever had, and what clients were promised. */
final class InvariantChecker {

  private final World world;
  private final Map<UUID, TaskChecker> tasks = new LinkedHashMap<>();
  private final Set<UUID> acknowledged = new HashSet<>();
  private final Set<String> failedSubmissions = new HashSet<>();
  private final Set<String> unknownSubmissions = new HashSet<>();

  InvariantChecker(World world) {
    this.world = world;
  }

  void submitted(Submission submission, TaskReader reader) {
    for (Submission.NewTaskRow row : submission.tasks()) {
      Task task = reader.find(row.id()).orElseThrow();
      world.trace.line("", "+ " + Trace.shortId(row.id()) + " " + task.definition().kind());
      // An engine repeats a submission whose answer was lost; the task has a history then.
      tasks.computeIfAbsent(row.id(), id -> new TaskChecker(world, task, row.due()));
      requireNotRefused(task);
    }
  }

  private void requireNotRefused(Task task) {
    world.violations.require(
        !failedSubmissions.contains(submissionOf(task)),
        Invariant.FAILED_WRITE_NOT_APPLIED,
        "order " + submissionOf(task) + " was refused, and is there");
  }

  /** Each submission has the number of its order as the name of its tasks. */
  private static String submissionOf(Task task) {
    return requireNonNull(task.definition().name(), "name");
  }

  void acknowledged(List<UUID> ids) {
    acknowledged.addAll(ids);
    ids.forEach(this::requireStored);
  }

  private void requireStored(UUID id) {
    world.violations.require(
        tasks.containsKey(id) && world.database.reader().find(id).isPresent(),
        Invariant.NO_LOST_TASK,
        Trace.shortId(id) + " was acknowledged and is not there");
  }

  /** The client was told that nothing was done. */
  void submitFailed(String order) {
    failedSubmissions.add(order);
    tasks.values().forEach(task -> requireNotRefused(task.last()));
  }

  /** The client was told that nobody knows. */
  void submitUnknown(String order) {
    unknownSubmissions.add(order);
  }

  /** Nobody wrote the row since it was last seen. */
  void requireUnchanged(UUID id, TaskReader reader) {
    TaskChecker history = tasks.get(id);
    if (history != null) {
      history.requireUnchanged(reader.find(id).orElse(null));
    }
  }

  void applied(TaskChange taskChange, WriteResult writeResult, NodeProcess by, TaskReader reader) {
    TaskChecker history = tasks.get(taskChange.task());
    if (history == null) {
      return;
    }
    Task row = reader.find(taskChange.task()).orElseThrow();
    if (writeResult.applied()) {
      world.trace.line(by.name(), "= " + describe(taskChange) + " due " + row.times().dueAt());
      history.changed(taskChange, row, by, reader.attempts(taskChange.task(), Integer.MAX_VALUE));
    } else {
      world.trace.line(by.name(), "x " + describe(taskChange));
      history.refused(taskChange, row);
    }
  }

  private static String describe(TaskChange taskChange) {
    return Trace.shortId(taskChange.task())
        + " epoch "
        + taskChange.guard().epoch()
        + " attempt "
        + taskChange.guard().attempt()
        + " "
        + taskChange.event()
        + " → "
        + taskChange.to().text();
  }

  void claimed(Lease lease, NodeProcess by, TaskReader reader) {
    Task row = reader.find(lease.task().id()).orElseThrow();
    world.trace.line(
        by.name(), "< " + Trace.shortId(row.id()) + " epoch " + row.epoch() + " claimed");
    TaskChecker history = tasks.get(row.id());
    if (history != null) {
      history.claimed(row);
    }
  }

  /** The node was told that it has this lease. */
  void claimReceived(LeaseKey key) {
    TaskChecker history = tasks.get(key.task());
    if (history != null) {
      history.claimReceived(key);
    }
  }

  void started(SimulatedExecution simulatedExecution) {
    TaskChecker history = tasks.get(simulatedExecution.key().task());
    if (history != null) {
      history.started(simulatedExecution);
    }
  }

  void heartbeatRecorded(LeaseKey key, WriteResult writeResult, TaskReader reader) {
    TaskChecker history = tasks.get(key.task());
    if (history != null && writeResult.applied()) {
      history.heartbeatRecorded(reader.find(key.task()).orElseThrow());
    }
  }

  void listenerNotified(TaskChange taskChange, NodeProcess by) {
    TaskChecker history = tasks.get(taskChange.task());
    if (history != null) {
      history.listenerNotified(taskChange, by);
    }
  }

  Collection<TaskChecker> tasks() {
    return tasks.values();
  }

  /** The tasks that have not ended although nothing holds them back for good. */
  List<TaskChecker> unfinished() {
    return tasks.values().stream().filter(TaskChecker::isUnfinished).toList();
  }

  /** Compares all that is known with all that is there. */
  void checkRows() {
    acknowledged.forEach(this::requireStored);
    TaskReader reader = world.database.reader();
    tasks.values().forEach(task -> task.requireUnchanged(reader.find(task.id()).orElse(null)));
  }

  /** When everything has ended. */
  void checkFinalState() {
    checkRows();
    TaskReader reader = world.database.reader();
    tasks
        .values()
        .forEach(task -> task.checkFinalState(reader.attempts(task.id(), Integer.MAX_VALUE)));
    for (SimulatedExecution simulatedExecution : world.executions.all()) {
      world.violations.require(
          reader.attempts(simulatedExecution.key().task(), Integer.MAX_VALUE).stream()
              .anyMatch(attempt -> attempt.epoch() == simulatedExecution.key().epoch()),
          Invariant.EXECUTION_HAS_RECORD,
          "no record of the execution " + simulatedExecution.describe());
    }
    requireDeliveries();
    Set<String> there = new HashSet<>();
    tasks.values().forEach(task -> there.add(submissionOf(task.last())));
    for (String order : unknownSubmissions) {
      world.trace.covered(
          there.contains(order)
              ? CoveragePoint.SUBMIT_UNKNOWN_BUT_COMMITTED
              : CoveragePoint.SUBMIT_UNKNOWN_AND_NOT_COMMITTED);
    }
  }

  private void requireDeliveries() {
    Map<UUID, List<String>> told = new HashMap<>();
    Outbox outbox = world.database.outbox();
    String after = null;
    do {
      DeliveryPage page =
          outbox.list(DeliveryFilter.all(), new PageRequest(PageRequest.MAX_SIZE, after));
      for (Delivery delivery : page.deliveries()) {
        told.computeIfAbsent(delivery.task(), task -> new ArrayList<>())
            .add(delivery.message().request());
      }
      after = page.nextCursor();
    } while (after != null);
    for (TaskChecker task : tasks.values()) {
      List<String> found = told.getOrDefault(task.id(), List.of()).stream().sorted().toList();
      world.violations.require(
          found.equals(task.ends().stream().sorted().toList()),
          Invariant.ONE_DELIVERY_PER_END,
          "%s ended as %s, the outbox has %s"
              .formatted(Trace.shortId(task.id()), task.ends(), found));
    }
  }
}

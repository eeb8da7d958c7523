// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.store.DeliveryFilter;
import dev.perdure.engine.store.DeliveryPage;
import dev.perdure.engine.store.Lease;
import dev.perdure.engine.store.Outbox;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
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
final class Ledger {

  private final World world;
  private final Map<UUID, TaskHistory> tasks = new LinkedHashMap<>();
  private final Set<UUID> acknowledged = new HashSet<>();
  private final Set<String> refused = new HashSet<>();
  private final Set<String> unanswered = new HashSet<>();

  Ledger(World world) {
    this.world = world;
  }

  void submitted(Submission submission, TaskReader reader) {
    for (Submission.NewRow row : submission.tasks()) {
      Task task = reader.find(row.id()).orElseThrow();
      world.trace.line("", "+ " + Trace.brief(row.id()) + " " + task.definition().kind());
      // An engine repeats a submission whose answer was lost; the task has a history then.
      tasks.computeIfAbsent(row.id(), id -> new TaskHistory(world, task, row.due()));
      requireNotRefused(task);
    }
  }

  private void requireNotRefused(Task task) {
    world.findings.require(
        !refused.contains(order(task)),
        Invariant.NOT_DONE_MEANS_NOT_DONE,
        "order " + order(task) + " was refused, and is there");
  }

  /** Each submission has the number of its order as the name of its tasks. */
  private static String order(Task task) {
    return requireNonNull(task.definition().name(), "name");
  }

  void acknowledged(List<UUID> ids) {
    acknowledged.addAll(ids);
    ids.forEach(this::requireThere);
  }

  private void requireThere(UUID id) {
    world.findings.require(
        tasks.containsKey(id) && world.database.reader().find(id).isPresent(),
        Invariant.NEVER_MISSING,
        Trace.brief(id) + " was acknowledged and is not there");
  }

  /** The client was told that nothing was done. */
  void refused(String order) {
    refused.add(order);
    tasks.values().forEach(task -> requireNotRefused(task.last()));
  }

  /** The client was told that nobody knows. */
  void unanswered(String order) {
    unanswered.add(order);
  }

  /** Nobody wrote the row since it was last seen. */
  void unchanged(UUID id, TaskReader reader) {
    TaskHistory history = tasks.get(id);
    if (history != null) {
      history.requireUnchanged(reader.find(id).orElse(null));
    }
  }

  void applied(Change change, Verdict verdict, NodeProcess by, TaskReader reader) {
    TaskHistory history = tasks.get(change.task());
    if (history == null) {
      return;
    }
    Task row = reader.find(change.task()).orElseThrow();
    if (verdict.applied()) {
      world.trace.line(by.name(), "= " + text(change) + " due " + row.times().dueAt());
      history.changed(change, row, by, reader.attempts(change.task(), Integer.MAX_VALUE));
    } else {
      world.trace.line(by.name(), "x " + text(change));
      history.refused(change, row);
    }
  }

  private static String text(Change change) {
    return Trace.brief(change.task())
        + " epoch "
        + change.guard().epoch()
        + " attempt "
        + change.guard().attempt()
        + " "
        + change.event()
        + " → "
        + change.to().text();
  }

  void claimed(Lease lease, NodeProcess by, TaskReader reader) {
    Task row = reader.find(lease.task().id()).orElseThrow();
    world.trace.line(
        by.name(), "< " + Trace.brief(row.id()) + " epoch " + row.epoch() + " claimed");
    TaskHistory history = tasks.get(row.id());
    if (history != null) {
      history.claimed(row);
    }
  }

  /** The node was told that it has this lease. */
  void answered(LeaseKey key) {
    TaskHistory history = tasks.get(key.task());
    if (history != null) {
      history.answered(key);
    }
  }

  void started(Handler handler) {
    TaskHistory history = tasks.get(handler.key().task());
    if (history != null) {
      history.started(handler);
    }
  }

  void heard(LeaseKey key, Verdict verdict, TaskReader reader) {
    TaskHistory history = tasks.get(key.task());
    if (history != null && verdict.applied()) {
      history.heard(reader.find(key.task()).orElseThrow());
    }
  }

  void told(Change change, NodeProcess by) {
    TaskHistory history = tasks.get(change.task());
    if (history != null) {
      history.told(change, by);
    }
  }

  Collection<TaskHistory> tasks() {
    return tasks.values();
  }

  /** The tasks that have not ended although nothing holds them back for good. */
  List<TaskHistory> unfinished() {
    return tasks.values().stream().filter(TaskHistory::isUnfinished).toList();
  }

  /** Compares all that is known with all that is there. */
  void look() {
    acknowledged.forEach(this::requireThere);
    TaskReader reader = world.database.reader();
    tasks.values().forEach(task -> task.requireUnchanged(reader.find(task.id()).orElse(null)));
  }

  /** When everything has ended. */
  void close() {
    look();
    TaskReader reader = world.database.reader();
    tasks.values().forEach(task -> task.close(reader.attempts(task.id(), Integer.MAX_VALUE)));
    for (Handler handler : world.executions.all()) {
      world.findings.require(
          reader.attempts(handler.key().task(), Integer.MAX_VALUE).stream()
              .anyMatch(attempt -> attempt.epoch() == handler.key().epoch()),
          Invariant.ACCOUNTED_FOR,
          "no record of the execution " + handler.text());
    }
    requireDeliveries();
    Set<String> there = new HashSet<>();
    tasks.values().forEach(task -> there.add(order(task.last())));
    for (String order : unanswered) {
      world.trace.saw(
          there.contains(order)
              ? Situation.SUBMIT_UNKNOWN_AND_DONE
              : Situation.SUBMIT_UNKNOWN_AND_NOT_DONE);
    }
  }

  private void requireDeliveries() {
    Map<UUID, List<String>> told = new HashMap<>();
    Outbox outbox = world.database.outbox();
    String after = null;
    do {
      DeliveryPage page =
          outbox.list(DeliveryFilter.all(), new PageRequest(PageRequest.MOST, after));
      for (Delivery delivery : page.deliveries()) {
        told.computeIfAbsent(delivery.task(), task -> new ArrayList<>())
            .add(delivery.announcement().request());
      }
      after = page.next();
    } while (after != null);
    for (TaskHistory task : tasks.values()) {
      List<String> found = told.getOrDefault(task.id(), List.of()).stream().sorted().toList();
      world.findings.require(
          found.equals(task.ends().stream().sorted().toList()),
          Invariant.ONE_DELIVERY,
          "%s ended as %s, the outbox has %s"
              .formatted(Trace.brief(task.id()), task.ends(), found));
    }
  }
}

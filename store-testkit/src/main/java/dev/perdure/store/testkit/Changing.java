// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptNote;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Custody;
import dev.perdure.engine.task.Ending;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.Times;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes one change, if its guard holds. */
final class Changing {

  private final TaskTable tasks;
  private final Row before;
  private final Change change;
  private final Instant now;
  private final Instant due;

  private Changing(TaskTable tasks, Row before, Change change, Instant now) {
    this.tasks = tasks;
    this.before = before;
    this.change = change;
    this.now = now;
    this.due = Dues.at(change.due(), now, before.dueAt());
  }

  /** Of several changes of one task only the first is tried. */
  static List<Verdict> apply(TaskTable tasks, List<Change> changes, Instant now) {
    Set<UUID> tried = new HashSet<>();
    return changes.stream()
        .map(
            change -> tried.add(change.task()) ? apply(tasks, change, now) : refused(tasks, change))
        .toList();
  }

  static Verdict apply(TaskTable tasks, Change change, Instant now) {
    return apply(tasks, change, now, Changing::write);
  }

  static Verdict refused(TaskTable tasks, Change change) {
    Row row = tasks.find(change.task());
    return row == null ? Verdict.missing() : Verdict.refused(row.state(), row.task().epoch());
  }

  /** What {@link #apply} would answer; writes nothing. */
  static Verdict judge(TaskTable tasks, Change change, Instant now) {
    return apply(tasks, change, now, allowed -> {});
  }

  private static Verdict apply(
      TaskTable tasks, Change change, Instant now, Consumer<Changing> whenAllowed) {
    Row row = tasks.find(change.task());
    Changing changing = row == null ? null : new Changing(tasks, row, change, now);
    if (changing == null || !changing.guardHolds()) {
      return refused(tasks, change);
    }
    whenAllowed.accept(changing);
    return Verdict.done();
  }

  /** A batch that is being deleted is not brought back to life, and no delivery comes twice. */
  static void requireStorable(TaskTable tasks, Change change, Instant now) {
    Row row = tasks.find(change.task());
    if (change.countsAnew() && row != null && tasks.isGoing(row.task().batch())) {
      throw notTaken("task %s cannot be revived: its batch is being deleted", change.task());
    }
    if (judge(tasks, change, now).applied()) {
      Set<UUID> seen = new HashSet<>();
      for (NewDelivery one : change.deliveries()) {
        if (!seen.add(one.id()) || tasks.deliveries().find(one.id()) != null) {
          throw notTaken("there is a delivery %s already", one.id());
        }
      }
    }
  }

  private static StoreException notTaken(String why, UUID id) {
    return new StoreException(why.formatted(id), null, StoreException.Sort.REFUSED);
  }

  private boolean guardHolds() {
    Guard guard = change.guard();
    Task task = before.task();
    return guard.from() == task.state()
        && guard.epoch() == task.epoch()
        && guard.attempt() == task.counting().attempt()
        && (!guard.inactive() || isOverdue())
        && !(starts() && task.paused())
        && change.tally().fitsOn(task.progress());
  }

  /** Nothing was heard in time: of a remote worker for a loss, of the attempt for a timeout. */
  private boolean isOverdue() {
    AttemptNote note = change.note();
    if (note != null && note.outcome() == AttemptOutcome.LOST) {
      Instant leaseUntil = before.leaseUntil();
      boolean held = before.task().worker() != null;
      return held && (leaseUntil == null || Row.hasCome(leaseUntil, now));
    }
    return before.isSilent(now);
  }

  private void write() {
    Task task = before.task();
    AttemptNote note = change.note();
    if (note != null) {
      tasks.record(
          new Attempt(
              task.id(),
              task.epoch(),
              change.guard().attempt(),
              change.guard().worker(),
              task.times().startedAt(),
              now,
              note,
              change.to().isClaimable() ? due : null));
    }
    boolean held = change.to().isHeld();
    Instant leaseUntil = held && !change.entrusts() ? before.leaseUntil() : null;
    tasks.put(new Row(after(), leaseUntil, held ? timesOutAt() : null));
    tasks.deliveries().add(task, change.deliveries(), now);
  }

  private Task after() {
    Task task = before.task();
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        task.definition(),
        change.to(),
        change.holding().after(task.hold()),
        custody(),
        change.counting(),
        times(),
        progress(),
        ending());
  }

  private Progress progress() {
    Progress progress = before.task().progress();
    return new Progress(
        progress.success() + change.tally().success(),
        progress.failures() + change.tally().failures(),
        progress.expected());
  }

  private Custody custody() {
    Custody custody = before.task().custody();
    boolean held = change.to().isHeld();
    boolean sameAttempt = change.counting().attempt() == change.guard().attempt();
    return new Custody(
        custody.epoch(),
        held && !change.entrusts() ? custody.worker() : null,
        sameAttempt ? custody.handleEpoch() : null,
        change.entrusts() ? change.cancelAction() : held ? custody.cancelAction() : null);
  }

  private Times times() {
    Times times = before.task().times();
    return new Times(
        times.createdAt(),
        due,
        change.countsAnew() ? due : times.retrySince(),
        starts() ? now : times.startedAt(),
        change.to().isTerminal() ? now : null,
        now);
  }

  /** The kind stays with the row; the rest is what the record of the last lease says. */
  private Ending ending() {
    AttemptNote last = change.note() == null ? recorded() : change.note();
    if (last == null || !isShown(change.to())) {
      return new Ending(failureKind(), null, null, change.reason(), null);
    }
    return new Ending(failureKind(), last.message(), last.code(), change.reason(), last.result());
  }

  private static boolean isShown(TaskState state) {
    return state == TaskState.RETRY_PENDING
        || state == TaskState.FAILURE
        || state == TaskState.SUCCESS;
  }

  private @Nullable String failureKind() {
    AttemptNote note = change.note();
    if (note != null) {
      return note.failureKind();
    }
    return change.countsAnew() ? null : before.task().ending().failureKind();
  }

  private @Nullable AttemptNote recorded() {
    Attempt attempt = tasks.attempt(before.id(), before.task().epoch());
    if (attempt == null) {
      return null;
    }
    // A retry has the number after that of the failure it waits for, also when it ends waiting.
    long since = change.counting().attempt() - attempt.number();
    return since == 0 || (since == 1 && failureKind() != null) ? attempt.note() : null;
  }

  private @Nullable Instant timesOutAt() {
    return starts() || change.entrusts()
        ? Row.timesOutAt(before.definition(), now)
        : before.timesOutAt();
  }

  private boolean starts() {
    return change.event() == TaskEvent.START;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes one change, if its guard holds. */
final class InMemoryChange {

  private final TaskTable tasks;
  private final StoredTask before;
  private final TaskChange taskChange;
  private final Instant now;
  private final Instant due;

  private InMemoryChange(TaskTable tasks, StoredTask before, TaskChange taskChange, Instant now) {
    this.tasks = tasks;
    this.before = before;
    this.taskChange = taskChange;
    this.now = now;
    this.due = DueTimes.resolve(taskChange.due(), now, before.dueAt());
  }

  /** Of several changes of one task only the first is tried. */
  static List<WriteResult> apply(TaskTable tasks, List<TaskChange> taskChanges, Instant now) {
    Set<UUID> tried = new HashSet<>();
    return taskChanges.stream()
        .map(
            taskChange ->
                tried.add(taskChange.task())
                    ? apply(tasks, taskChange, now)
                    : refused(tasks, taskChange))
        .toList();
  }

  static WriteResult apply(TaskTable tasks, TaskChange taskChange, Instant now) {
    return apply(tasks, taskChange, now, InMemoryChange::write);
  }

  static WriteResult refused(TaskTable tasks, TaskChange taskChange) {
    StoredTask storedTask = tasks.find(taskChange.task());
    return storedTask == null
        ? WriteResult.notFound()
        : WriteResult.refused(storedTask.state(), storedTask.task().epoch());
  }

  /** What {@link #apply} would answer; writes nothing. */
  static WriteResult dryRun(TaskTable tasks, TaskChange taskChange, Instant now) {
    return apply(tasks, taskChange, now, allowed -> {});
  }

  private static WriteResult apply(
      TaskTable tasks, TaskChange taskChange, Instant now, Consumer<InMemoryChange> whenAllowed) {
    StoredTask storedTask = tasks.find(taskChange.task());
    InMemoryChange inMemoryChange =
        storedTask == null ? null : new InMemoryChange(tasks, storedTask, taskChange, now);
    if (inMemoryChange == null || !inMemoryChange.guardHolds()) {
      return refused(tasks, taskChange);
    }
    whenAllowed.accept(inMemoryChange);
    return WriteResult.written();
  }

  /** A batch that is being deleted is not brought back to life, and no delivery comes twice. */
  static void requireStorable(TaskTable tasks, TaskChange taskChange, Instant now) {
    StoredTask storedTask = tasks.find(taskChange.task());
    if (taskChange.resetsRetries()
        && storedTask != null
        && tasks.isBeingDeleted(storedTask.task().batch())) {
      throw storeRefuses(
          "task %s cannot be revived: its batch is being deleted", taskChange.task());
    }
    if (dryRun(tasks, taskChange, now).applied()) {
      Set<UUID> seen = new HashSet<>();
      for (NewDelivery one : taskChange.deliveries()) {
        if (!seen.add(one.id()) || tasks.deliveries().find(one.id()) != null) {
          throw storeRefuses("there is a delivery %s already", one.id());
        }
      }
    }
  }

  private static StoreException storeRefuses(String why, UUID id) {
    return new StoreException(why.formatted(id), null, StoreException.ErrorKind.REFUSED);
  }

  private boolean guardHolds() {
    Guard guard = taskChange.guard();
    Task task = before.task();
    return guard.from() == task.state()
        && guard.epoch() == task.epoch()
        && guard.attempt() == task.retryCounters().attempt()
        && (!guard.inactive() || isExpired())
        && !(starts() && task.paused())
        && taskChange.counterDelta().fitsOn(task.progress());
  }

  /** Nothing was heard in time: of a remote worker for a loss, of the attempt for a timeout. */
  private boolean isExpired() {
    AttemptDetails note = taskChange.attemptDetails();
    if (note != null && note.outcome() == AttemptOutcome.LOST) {
      Instant leaseUntil = before.leaseUntil();
      boolean held = before.task().worker() != null;
      return held && (leaseUntil == null || StoredTask.isReached(leaseUntil, now));
    }
    return before.isInactive(now);
  }

  private void write() {
    Task task = before.task();
    AttemptDetails note = taskChange.attemptDetails();
    if (note != null) {
      tasks.record(
          new Attempt(
              task.id(),
              task.epoch(),
              taskChange.guard().attempt(),
              taskChange.guard().worker(),
              task.times().startedAt(),
              now,
              note,
              taskChange.to().isClaimable() ? due : null));
    }
    boolean held = taskChange.to().isLeased();
    Instant leaseUntil = held && !taskChange.handsOff() ? before.leaseUntil() : null;
    tasks.put(new StoredTask(after(), leaseUntil, held ? timesOutAt() : null));
    tasks.deliveries().add(task, taskChange.deliveries(), now);
  }

  private Task after() {
    Task task = before.task();
    boolean held = taskChange.to().isLeased();
    boolean handsOff = taskChange.handsOff();
    boolean sameAttempt = taskChange.retryCounters().attempt() == taskChange.guard().attempt();
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        task.definition(),
        taskChange.to(),
        taskChange.holdChange().after(task.hold()),
        task.epoch(),
        held && !handsOff ? task.worker() : null,
        sameAttempt ? task.handleEpoch() : null,
        handsOff ? taskChange.cancelAction() : held ? task.cancelAction() : null,
        taskChange.retryCounters(),
        times(),
        progress(),
        ending());
  }

  private Progress progress() {
    Progress progress = before.task().progress();
    return new Progress(
        progress.success() + taskChange.counterDelta().success(),
        progress.failures() + taskChange.counterDelta().failures(),
        progress.expected());
  }

  private TaskTimes times() {
    TaskTimes taskTimes = before.task().times();
    return new TaskTimes(
        taskTimes.createdAt(),
        due,
        taskChange.resetsRetries() ? due : taskTimes.retrySince(),
        starts() ? now : taskTimes.startedAt(),
        taskChange.to().isTerminal() ? now : null,
        now);
  }

  /** The kind stays with the row; the rest is what the record of the last lease says. */
  private LastResult ending() {
    AttemptDetails last =
        taskChange.attemptDetails() == null ? recorded() : taskChange.attemptDetails();
    if (last == null || !isShown(taskChange.to())) {
      return new LastResult(failureKind(), null, null, taskChange.giveUpReason(), null);
    }
    return new LastResult(
        failureKind(), last.message(), last.code(), taskChange.giveUpReason(), last.result());
  }

  private static boolean isShown(TaskState state) {
    return state == TaskState.RETRY_PENDING
        || state == TaskState.FAILURE
        || state == TaskState.SUCCESS;
  }

  private @Nullable String failureKind() {
    AttemptDetails note = taskChange.attemptDetails();
    if (note != null) {
      return note.failureKind();
    }
    return taskChange.resetsRetries() ? null : before.task().lastResult().failureKind();
  }

  private @Nullable AttemptDetails recorded() {
    Attempt attempt = tasks.attempt(before.id(), before.task().epoch());
    if (attempt == null) {
      return null;
    }
    // A retry has the number after that of the failure it waits for, also when it ends waiting.
    long since = taskChange.retryCounters().attempt() - attempt.number();
    return since == 0 || (since == 1 && failureKind() != null) ? attempt.details() : null;
  }

  private @Nullable Instant timesOutAt() {
    return starts() || taskChange.handsOff()
        ? StoredTask.timesOutAt(before.definition(), now)
        : before.timesOutAt();
  }

  private boolean starts() {
    return taskChange.event() == TaskEvent.START;
  }
}

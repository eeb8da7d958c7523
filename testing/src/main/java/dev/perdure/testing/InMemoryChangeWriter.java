// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.Observers;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import dev.perdure.testing.DependencyTable.StoredDependency;
import dev.perdure.testing.internal.LimitAccounting;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Applies one change to a task if its guard holds. */
final class InMemoryChangeWriter {

  private final TaskTable tasks;
  private final StoredTask before;
  private final TaskChange change;
  private final Instant now;
  private final Instant due;

  private InMemoryChangeWriter(TaskTable tasks, StoredTask before, TaskChange change, Instant now) {
    this.tasks = tasks;
    this.before = before;
    this.change = change;
    this.now = now;
    boolean overdue = change.restartsExpiry() && before.dueAt().isBefore(now);
    this.due = DueTimes.resolve(change.due(), now, overdue ? now : before.dueAt());
  }

  /** Applies changes. If a task has several, only the first is tried. */
  static List<WriteResult> apply(TaskTable tasks, List<TaskChange> changes, Instant now) {
    Set<UUID> tried = new HashSet<>();
    return changes.stream()
        .map(
            change -> tried.add(change.task()) ? apply(tasks, change, now) : refused(tasks, change))
        .toList();
  }

  static WriteResult apply(TaskTable tasks, TaskChange change, Instant now) {
    return apply(tasks, change, now, InMemoryChangeWriter::write);
  }

  static WriteResult refused(TaskTable tasks, TaskChange change) {
    StoredTask storedTask = tasks.find(change.task());
    return storedTask == null
        ? WriteResult.notFound()
        : WriteResult.refused(storedTask.state(), storedTask.task().epoch());
  }

  /** Returns the result that {@link #apply} would return, without writing anything. */
  static WriteResult dryRun(TaskTable tasks, TaskChange change, Instant now) {
    return apply(tasks, change, now, ignored -> {});
  }

  private static WriteResult apply(
      TaskTable tasks, TaskChange change, Instant now, Consumer<InMemoryChangeWriter> action) {
    StoredTask storedTask = tasks.find(change.task());
    InMemoryChangeWriter candidate =
        storedTask == null ? null : new InMemoryChangeWriter(tasks, storedTask, change, now);
    if (candidate == null || !candidate.guardHolds()) {
      return refused(tasks, change);
    }
    action.accept(candidate);
    return WriteResult.written(candidate.isObserved(), candidate.wakesLimits());
  }

  /**
   * Throws if the change revives a task of a batch that is being deleted, or has a delivery id that
   * already exists.
   */
  static void requireStorable(TaskTable tasks, TaskChange change, Instant now) {
    StoredTask storedTask = tasks.find(change.task());
    if (change.resetsRetries()
        && storedTask != null
        && tasks.isBeingDeleted(storedTask.task().batch())) {
      throw refusedByStore("task %s cannot be revived: its batch is being deleted", change.task());
    }
    if (change.resetsRetries()
        && storedTask != null
        && storedTask.task().run() < tasks.runs().current(storedTask.task().batch())) {
      throw refusedByStore("task %s cannot be revived: its batch has a later run", change.task());
    }
    if (dryRun(tasks, change, now).applied()) {
      Set<UUID> seen = new HashSet<>();
      for (NewDelivery delivery : change.deliveries()) {
        if (!seen.add(delivery.id()) || tasks.deliveries().find(delivery.id()) != null) {
          throw refusedByStore("a delivery with id %s already exists", delivery.id());
        }
      }
    }
  }

  private static StoreException refusedByStore(String message, UUID id) {
    return new StoreException(message.formatted(id), null, StoreException.ErrorKind.REFUSED);
  }

  private boolean guardHolds() {
    Guard guard = change.guard();
    Task task = before.task();
    return guard.from() == task.state()
        && guard.epoch() == task.epoch()
        && guard.attempt() == task.retryCounters().attempt()
        && (!guard.inactive() || isExpired())
        && !(starts() && task.paused())
        && (guard.dependencies() == null || guard.dependencies().equals(task.dependencies()))
        && (change.event() != TaskEvent.RESOLVE || task.run() == tasks.runs().current(task.batch()))
        && change.counterDelta().fitsOn(task.progress())
        && !(change.resetsRetries() && isDedupeKeyTaken());
  }

  private boolean isDedupeKeyTaken() {
    String key = before.definition().dedupeKey();
    return key != null && tasks.holder(Shards.of(before.id()), key) != null;
  }

  /**
   * For a loss, checks that the remote worker's lease has expired; for a timeout, that the attempt
   * is inactive.
   */
  private boolean isExpired() {
    AttemptDetails details = change.attemptDetails();
    if (details != null && details.outcome() == AttemptOutcome.LOST) {
      Instant leaseUntil = before.leaseUntil();
      boolean hasWorker = before.task().worker() != null;
      return hasWorker && (leaseUntil == null || StoredTask.isReached(leaseUntil, now));
    }
    return before.isInactive(now);
  }

  private void write() {
    Task task = before.task();
    AttemptDetails details = change.attemptDetails();
    if (details != null) {
      tasks.record(
          new Attempt(
              task.id(),
              change.recordEpoch(),
              change.guard().attempt(),
              change.guard().worker(),
              change.event() == TaskEvent.RESOLVE ? null : task.times().startedAt(),
              now,
              details,
              change.to().isClaimable() ? due : null));
    }
    boolean leased = change.to().isLeased();
    Instant leaseUntil = leased && !change.handsOff() ? before.leaseUntil() : null;
    StoredTask after = new StoredTask(after(), leaseUntil, leased ? timesOutAt() : null);
    if (change.retryCounters().attempt() != change.guard().attempt()) {
      tasks.limits().beginAttempt(task.id(), after.task().progress());
    }
    tasks.put(after);
    if (wakesLimits()) {
      wakeLimits(after);
    }
    tasks.deliveries().add(task, change.deliveries(), now);
    if (change.waivesDependencies()) {
      waiveDependencies();
    }
    if ((change.resetsRetries() || change.event() == TaskEvent.RESOLVE)
        && task.run() == tasks.runs().current(task.batch())) {
      tasks.runs().reopen(task.batch());
    }
    if (isObserved()) {
      tasks
          .rules()
          .record(
              task.id(), () -> tasks.dependencies().addEvent(task.id(), now, change.to(), null));
    }
  }

  /** A task with limits stops running, or waits from now on. */
  private boolean wakesLimits() {
    boolean waits = change.to().isClaimable() && hold().equals(Set.of(HoldReason.LIMITED));
    return !tasks.limits().limits(change.task()).isEmpty() && (leavesLease() || waits);
  }

  private void wakeLimits(StoredTask after) {
    LimitAccounting accounting = tasks.limits().accounting();
    boolean frees = leavesLease() && accounting.frees(change);
    if (frees && !accounting.wakes(change)) {
      tasks.limits().freeUnnoticed(after);
    } else {
      tasks.limits().changed(after, frees ? 1 : 0, now);
    }
  }

  private boolean leavesLease() {
    return change.guard().from().isLeased() && !change.to().isLeased();
  }

  /** An end or a revive of a task that others depend on. */
  private boolean isObserved() {
    return tasks.rules().records(change)
        && (tasks.dependencies().hasChildren(change.task())
            || (tasks.observers(change.task()) & Observers.RECORDED) != 0
            || !tasks.runs().of(before.task().batch()).isEmpty());
  }

  private void waiveDependencies() {
    for (StoredDependency stored : tasks.dependencies().ofChild(change.task())) {
      boolean required = stored.dependency().requiresSuccess();
      if (!DependencyOutcome.satisfies(stored.outcome(), required)) {
        tasks.dependencies().put(stored.dependency(), DependencyOutcome.WAIVED, stored.deferred());
      }
    }
  }

  private Task after() {
    Task task = before.task();
    boolean leased = change.to().isLeased();
    boolean handsOff = change.handsOff();
    boolean sameAttempt = change.retryCounters().attempt() == change.guard().attempt();
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        task.definition(),
        change.to(),
        hold(),
        change.event() == TaskEvent.RESOLVE ? change.recordEpoch() : task.epoch(),
        leased && !handsOff ? task.worker() : null,
        sameAttempt ? task.handleEpoch() : null,
        handsOff ? change.cancelAction() : leased ? task.cancelAction() : null,
        change.retryCounters(),
        times(),
        progress(),
        lastResult(),
        change.waivesDependencies() ? DependencyCounts.NONE : task.dependencies());
  }

  private Progress progress() {
    Progress progress = before.task().progress();
    return new Progress(
        progress.success() + change.counterDelta().success(),
        progress.failures() + change.counterDelta().failures(),
        progress.expected());
  }

  private TaskTimes times() {
    TaskTimes taskTimes = before.task().times();
    return new TaskTimes(
        taskTimes.createdAt(),
        due,
        change.restartsExpiry() ? due : taskTimes.retrySince(),
        starts() ? now : taskTimes.startedAt(),
        change.to().isTerminal() ? now : null,
        now);
  }

  /**
   * The failure kind is stored with the task; everything else comes from the record of the last
   * lease.
   */
  private LastResult lastResult() {
    AttemptDetails last = change.attemptDetails() == null ? recorded() : change.attemptDetails();
    if (last == null || !showsLastAttempt()) {
      return new LastResult(failureKind(), null, null, change.giveUpReason(), null, error());
    }
    return new LastResult(
        failureKind(), last.message(), last.code(), change.giveUpReason(), last.result(), error());
  }

  private @Nullable String error() {
    if (change.to() != TaskState.RETRY_PENDING && change.to() != TaskState.FAILURE) {
      return null;
    }
    String error = before.task().lastResult().error();
    return error == null ? change.error() : error;
  }

  /**
   * A canceled task shows the failure that its retry was waiting for, and a pending one why it is
   * parked; otherwise they show nothing.
   */
  private boolean showsLastAttempt() {
    return switch (change.to()) {
      case RETRY_PENDING, FAILURE, SUCCESS -> true;
      case CANCELED -> failureKind() != null;
      case PENDING -> hold().contains(HoldReason.PARKED);
      case WAITING, CLAIMED, RUNNING -> false;
    };
  }

  private Set<HoldReason> hold() {
    return change.holdChange().after(before.task().hold());
  }

  private @Nullable String failureKind() {
    AttemptDetails details = change.attemptDetails();
    if (details != null) {
      return details.failureKind();
    }
    return change.restartsExpiry() ? null : before.task().lastResult().failureKind();
  }

  private @Nullable AttemptDetails recorded() {
    Attempt attempt = tasks.attempt(before.id(), before.task().epoch());
    if (attempt == null) {
      return null;
    }
    // A pending retry has the attempt number after that of its last failure, and keeps it if the
    // task ends before the retry.
    long distance = change.retryCounters().attempt() - attempt.number();
    return distance == 0 || (distance == 1 && failureKind() != null) ? attempt.details() : null;
  }

  private @Nullable Instant timesOutAt() {
    return starts() || change.handsOff()
        ? StoredTask.timesOutAt(before.definition(), now)
        : before.timesOutAt();
  }

  private boolean starts() {
    return change.event() == TaskEvent.START;
  }
}

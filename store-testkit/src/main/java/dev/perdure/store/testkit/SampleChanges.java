// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.internal.StateMachine;
import dev.perdure.engine.internal.Transition;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.HoldChange;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sample changes, one per event, including events that the engine does not produce yet. */
final class SampleChanges {

  private static final Duration DELAY = Duration.ofMinutes(1);

  private SampleChanges() {}

  /** Returns every state in which the event is legal. */
  static Stream<TaskState> legalStates(TaskEvent event) {
    return Stream.of(TaskState.values()).filter(state -> StateMachine.allows(state, event));
  }

  /** Returns the change for the event as if the task had been read in the state {@code from}. */
  static TaskChange change(Task task, TaskState from, TaskEvent event) {
    TaskState to =
        switch (StateMachine.next(from, event)) {
          case Transition.To step -> step.state();
          case Transition.Illegal illegal -> throw new IllegalArgumentException(illegal.reason());
        };
    return new TaskChange(
        task.id(),
        new Guard(
            from, task.epoch(), task.retryCounters().attempt(), task.worker(), isTimeout(event)),
        event,
        to,
        due(event),
        retryCounters(task.retryCounters(), event),
        holdChange(event),
        to == TaskState.FAILURE ? TaskGiveUpReason.EXHAUSTED : null,
        isRecorded(from, event, to) ? details(event) : null,
        null,
        List.of(),
        CounterDelta.NONE);
  }

  /** Returns whether the event adds a record to the history. */
  static boolean isRecorded(TaskState from, TaskEvent event, TaskState to) {
    return event == TaskEvent.RESOLVE || (from.isLeased() && !to.isLeased());
  }

  private static boolean isTimeout(TaskEvent event) {
    return event == TaskEvent.TIME_OUT_AND_RETRY || event == TaskEvent.TIME_OUT_AND_GIVE_UP;
  }

  private static DueTime due(TaskEvent event) {
    return switch (event) {
      case FAIL_AND_RETRY, TIME_OUT_AND_RETRY, SNOOZE, WORKER_LOST, RESCHEDULE -> DueTime.in(DELAY);
      case REVIVE, REVIVE_WAITING, REVIVE_IGNORING_DEPENDENCIES -> DueTime.now();
      default -> DueTime.unchanged();
    };
  }

  private static RetryCounters retryCounters(RetryCounters before, TaskEvent event) {
    long next = before.attempt() + 1;
    return switch (event) {
      case FAIL_AND_RETRY, TIME_OUT_AND_RETRY ->
          new RetryCounters(next, 0, before.retryBase(), DELAY);
      case REVIVE, REVIVE_WAITING, REVIVE_IGNORING_DEPENDENCIES ->
          new RetryCounters(next, 0, next, null);
      case WORKER_LOST, WORKER_LOST_AND_GIVE_UP ->
          new RetryCounters(
              before.attempt(), before.losses() + 1, before.retryBase(), before.previousDelay());
      default -> before;
    };
  }

  private static HoldChange holdChange(TaskEvent event) {
    return switch (event) {
      case PAUSE -> new HoldChange(Set.of(HoldReason.PAUSED), Set.of());
      case RESUME -> new HoldChange(Set.of(), Set.of(HoldReason.PAUSED, HoldReason.PARKED));
      default -> HoldChange.UNCHANGED;
    };
  }

  private static AttemptDetails details(TaskEvent event) {
    return switch (event) {
      case RESOLVE -> AttemptDetails.resolved("{\"done\": true}", "by hand");
      case SUCCEED -> details(AttemptOutcome.SUCCESS, null, null, "{\"done\": true}");
      case FAIL_AND_RETRY, TIME_OUT_AND_RETRY ->
          details(AttemptOutcome.FAILURE, "timeout", DELAY, null);
      case FAIL_AND_GIVE_UP, TIME_OUT_AND_GIVE_UP, EXPIRE ->
          details(AttemptOutcome.FAILURE, "timeout", null, null);
      case WORKER_LOST, WORKER_LOST_AND_GIVE_UP -> details(AttemptOutcome.LOST, null, DELAY, null);
      case SNOOZE -> details(AttemptOutcome.SNOOZED, null, DELAY, null);
      case CANCEL -> details(AttemptOutcome.CANCELED, null, null, null);
      default -> details(AttemptOutcome.HANDED_BACK, null, null, null);
    };
  }

  private static AttemptDetails details(
      AttemptOutcome outcome,
      @Nullable String failureKind,
      @Nullable Duration delay,
      @Nullable String result) {
    return new AttemptDetails(
        outcome,
        failureKind,
        failureKind == null ? 0 : 503,
        failureKind == null ? null : "läuft_nicht",
        "reason: " + outcome.text(),
        failureKind == null ? List.of() : List.of("java.io.IOException", "java.lang.Exception"),
        failureKind == null ? null : "at line 1\n\tat line 2",
        delay,
        result);
  }
}

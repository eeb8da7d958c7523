// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.task.AttemptNote;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Counting;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.EndReason;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.Hold;
import dev.perdure.engine.task.Holding;
import dev.perdure.engine.task.StateMachine;
import dev.perdure.engine.task.Step;
import dev.perdure.engine.task.Tally;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Changes made by hand, one for every event, also those that nobody decides yet. */
final class Crafted {

  private static final Duration DELAY = Duration.ofMinutes(1);

  private Crafted() {}

  /** Every state in which the event is legal. */
  static Stream<TaskState> legal(TaskEvent event) {
    return Stream.of(TaskState.values()).filter(state -> StateMachine.allows(state, event));
  }

  /** The event as it would be decided had the task been read in the state {@code from}. */
  static Change change(Task task, TaskState from, TaskEvent event) {
    TaskState to =
        switch (StateMachine.next(from, event)) {
          case Step.To step -> step.state();
          case Step.Refused refused -> throw new IllegalArgumentException(refused.why());
        };
    return new Change(
        task.id(),
        new Guard(from, task.epoch(), task.counting().attempt(), task.worker(), isSilence(event)),
        event,
        to,
        due(event),
        counting(task.counting(), event),
        new Holding(holdSet(event), holdClear(event)),
        to == TaskState.FAILURE ? EndReason.EXHAUSTED : null,
        from.isHeld() && !to.isHeld() ? note(event) : null,
        null,
        List.of(),
        Tally.NONE);
  }

  private static boolean isSilence(TaskEvent event) {
    return event == TaskEvent.TIME_OUT_AND_RETRY || event == TaskEvent.TIME_OUT_FOR_GOOD;
  }

  private static Due due(TaskEvent event) {
    return switch (event) {
      case FAIL_AND_RETRY, TIME_OUT_AND_RETRY, SNOOZE, LOSE, RETRY_AT -> Due.in(DELAY);
      case REVIVE, REVIVE_WAITING -> Due.now();
      default -> Due.unchanged();
    };
  }

  private static Counting counting(Counting before, TaskEvent event) {
    long next = before.attempt() + 1;
    return switch (event) {
      case FAIL_AND_RETRY, TIME_OUT_AND_RETRY -> new Counting(next, 0, before.retryBase(), DELAY);
      case REVIVE, REVIVE_WAITING -> new Counting(next, 0, next, null);
      case LOSE, LOSE_FOR_GOOD ->
          new Counting(
              before.attempt(), before.losses() + 1, before.retryBase(), before.previousDelay());
      default -> before;
    };
  }

  private static int holdSet(TaskEvent event) {
    return switch (event) {
      case PAUSE -> Hold.PAUSED;
      case REVIVE_WAITING -> Hold.WAITING;
      default -> 0;
    };
  }

  private static int holdClear(TaskEvent event) {
    return switch (event) {
      case RESUME -> Hold.PAUSED | Hold.PARKED;
      case MEET_DEPENDENCIES -> Hold.WAITING;
      default -> 0;
    };
  }

  private static AttemptNote note(TaskEvent event) {
    return switch (event) {
      case SUCCEED -> note(AttemptOutcome.SUCCESS, null, null, "{\"done\": true}");
      case FAIL_AND_RETRY, TIME_OUT_AND_RETRY ->
          note(AttemptOutcome.FAILURE, "timeout", DELAY, null);
      case FAIL_FOR_GOOD, TIME_OUT_FOR_GOOD, EXPIRE ->
          note(AttemptOutcome.FAILURE, "timeout", null, null);
      case LOSE, LOSE_FOR_GOOD -> note(AttemptOutcome.LOST, null, DELAY, null);
      case SNOOZE -> note(AttemptOutcome.SNOOZED, null, DELAY, null);
      case CANCEL -> note(AttemptOutcome.CANCELED, null, null, null);
      default -> note(AttemptOutcome.HANDED_BACK, null, null, null);
    };
  }

  private static AttemptNote note(
      AttemptOutcome outcome,
      @Nullable String failureKind,
      @Nullable Duration delay,
      @Nullable String result) {
    return new AttemptNote(
        outcome,
        failureKind,
        failureKind == null ? 0 : 503,
        failureKind == null ? null : "läuft_nicht",
        "why: " + outcome.text(),
        failureKind == null ? List.of() : List.of("java.io.IOException", "java.lang.Exception"),
        failureKind == null ? null : "at line 1\n\tat line 2",
        delay,
        result);
  }
}

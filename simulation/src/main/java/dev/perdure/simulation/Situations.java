// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.EndReason;
import dev.perdure.engine.task.Hold;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;

/** Recognises the interesting ones among the changes. */
final class Situations {

  private Situations() {}

  static void note(Trace trace, Task before, Change change) {
    switch (change.event()) {
      case FAIL_AND_RETRY -> trace.saw(Situation.RETRY_SCHEDULED);
      case FAIL_FOR_GOOD -> noteFailure(trace, change);
      case TIME_OUT_AND_RETRY, TIME_OUT_FOR_GOOD -> trace.saw(Situation.TIMED_OUT);
      case EXPIRE -> trace.saw(Situation.DEADLINE_PASSED);
      case LOSE -> trace.saw(Situation.LOSS_OF_A_RUNNING_TASK);
      case LOSE_FOR_GOOD -> trace.saw(Situation.LOST_FOR_GOOD);
      case SNOOZE -> trace.saw(Situation.SNOOZED);
      case HAND_BACK -> noteParked(trace, change);
      case CANCEL -> noteCancel(trace, before);
      case PAUSE -> notePause(trace, before);
      case RETRY_AT -> trace.saw(Situation.RETRY_MADE_DUE);
      case REVIVE, REVIVE_WAITING -> noteRevive(trace, before);
      case MEET_DEPENDENCIES, FAIL_UPSTREAM, CLAIM, START, ENTRUST, SUCCEED, RESUME -> {}
    }
    if (change.note() != null && FailingStore.UNSTORABLE.equals(change.note().code())) {
      trace.saw(Situation.UNSTORABLE_END);
    }
  }

  private static void noteFailure(Trace trace, Change change) {
    if (change.reason() == EndReason.EXHAUSTED) {
      trace.saw(Situation.RETRIES_EXHAUSTED);
    } else if (change.reason() == EndReason.EXPIRED) {
      trace.saw(Situation.POLICY_EXPIRED);
    } else if (change.reason() == EndReason.NOT_RETRYABLE) {
      trace.saw(Situation.PERMANENT_FAILURE);
    }
  }

  private static void noteParked(Trace trace, Change change) {
    if (Hold.has(change.holding().set(), Hold.PARKED)) {
      trace.saw(Situation.PARKED);
    }
  }

  private static void noteCancel(Trace trace, Task before) {
    if (before.state() == TaskState.RUNNING) {
      trace.saw(Situation.CANCEL_BEFORE_COMPLETION);
    }
  }

  private static void notePause(Trace trace, Task before) {
    if (before.state() == TaskState.RUNNING) {
      trace.saw(Situation.PAUSED_WHILE_RUNNING);
    } else if (before.state() == TaskState.RETRY_PENDING) {
      trace.saw(Situation.PAUSED_WHILE_RETRY_WAITS);
    }
  }

  private static void noteRevive(Trace trace, Task before) {
    trace.saw(
        before.state() == TaskState.CANCELED
            ? Situation.REVIVED_AFTER_CANCEL
            : Situation.REVIVED_AFTER_FAILURE);
  }

  static void noteRefused(Trace trace, Task row, Change change) {
    if (change.event() == TaskEvent.CANCEL && row.state().isTerminal()) {
      trace.saw(Situation.COMPLETION_BEFORE_CANCEL);
    }
  }
}

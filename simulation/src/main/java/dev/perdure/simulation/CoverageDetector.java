// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.task.HoldFlags;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;

/** Recognises the interesting ones among the changes. */
final class CoverageDetector {

  private CoverageDetector() {}

  static void detect(Trace trace, Task before, TaskChange taskChange) {
    switch (taskChange.event()) {
      case FAIL_AND_RETRY -> trace.covered(CoveragePoint.RETRY_SCHEDULED);
      case FAIL_AND_GIVE_UP -> detectFailure(trace, taskChange);
      case TIME_OUT_AND_RETRY, TIME_OUT_AND_GIVE_UP -> trace.covered(CoveragePoint.TIMED_OUT);
      case EXPIRE -> trace.covered(CoveragePoint.DEADLINE_PASSED);
      case WORKER_LOST -> trace.covered(CoveragePoint.WORKER_LOST);
      case WORKER_LOST_AND_GIVE_UP -> trace.covered(CoveragePoint.LOSS_LIMIT_REACHED);
      case SNOOZE -> trace.covered(CoveragePoint.SNOOZED);
      case HAND_BACK -> detectParked(trace, taskChange);
      case CANCEL -> detectCancel(trace, before);
      case PAUSE -> detectPause(trace, before);
      case RETRY_AT -> trace.covered(CoveragePoint.RETRY_RESCHEDULED);
      case REVIVE, REVIVE_WAITING -> detectRevive(trace, before);
      case MEET_DEPENDENCIES, FAIL_UPSTREAM, CLAIM, START, HAND_OFF, SUCCEED, RESUME -> {}
    }
    if (taskChange.attemptDetails() != null
        && FailingStore.REJECTED_RESULT.equals(taskChange.attemptDetails().code())) {
      trace.covered(CoveragePoint.RESULT_REJECTED_BY_STORE);
    }
  }

  private static void detectFailure(Trace trace, TaskChange taskChange) {
    if (taskChange.giveUpReason() == TaskGiveUpReason.EXHAUSTED) {
      trace.covered(CoveragePoint.RETRIES_EXHAUSTED);
    } else if (taskChange.giveUpReason() == TaskGiveUpReason.EXPIRED) {
      trace.covered(CoveragePoint.POLICY_EXPIRED);
    } else if (taskChange.giveUpReason() == TaskGiveUpReason.NOT_RETRYABLE) {
      trace.covered(CoveragePoint.PERMANENT_FAILURE);
    }
  }

  private static void detectParked(Trace trace, TaskChange taskChange) {
    if (HoldFlags.isSet(taskChange.holdChange().set(), HoldFlags.PARKED)) {
      trace.covered(CoveragePoint.PARKED);
    }
  }

  private static void detectCancel(Trace trace, Task before) {
    if (before.state() == TaskState.RUNNING) {
      trace.covered(CoveragePoint.CANCEL_BEFORE_COMPLETION);
    }
  }

  private static void detectPause(Trace trace, Task before) {
    if (before.state() == TaskState.RUNNING) {
      trace.covered(CoveragePoint.PAUSED_WHILE_RUNNING);
    } else if (before.state() == TaskState.RETRY_PENDING) {
      trace.covered(CoveragePoint.PAUSED_WHILE_RETRY_PENDING);
    }
  }

  private static void detectRevive(Trace trace, Task before) {
    trace.covered(
        before.state() == TaskState.CANCELED
            ? CoveragePoint.REVIVED_AFTER_CANCEL
            : CoveragePoint.REVIVED_AFTER_FAILURE);
  }

  static void detectRefused(Trace trace, Task row, TaskChange taskChange) {
    if (taskChange.event() == TaskEvent.CANCEL && row.state().isTerminal()) {
      trace.covered(CoveragePoint.COMPLETION_BEFORE_CANCEL);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;

/** Finds out which coverage points a change reaches. */
final class CoverageDetector {

  private CoverageDetector() {}

  static void detect(Trace trace, Task before, TaskChange change) {
    switch (change.event()) {
      case FAIL_AND_RETRY -> trace.covered(CoveragePoint.RETRY_SCHEDULED);
      case FAIL_AND_GIVE_UP -> detectFailure(trace, change);
      case TIME_OUT_AND_RETRY, TIME_OUT_AND_GIVE_UP -> trace.covered(CoveragePoint.TIMED_OUT);
      case EXPIRE -> trace.covered(CoveragePoint.DEADLINE_PASSED);
      case WORKER_LOST -> trace.covered(CoveragePoint.WORKER_LOST);
      case WORKER_LOST_AND_GIVE_UP -> trace.covered(CoveragePoint.LOSS_LIMIT_REACHED);
      case SNOOZE -> trace.covered(CoveragePoint.SNOOZED);
      case HAND_BACK -> detectParked(trace, change);
      case CANCEL -> detectCancel(trace, before);
      case PAUSE -> detectPause(trace, before);
      case RESCHEDULE -> detectReschedule(trace, before);
      case REVIVE, REVIVE_WAITING -> detectRevive(trace, before);
      case REVIVE_IGNORING_DEPENDENCIES -> trace.covered(CoveragePoint.DEPENDENCIES_IGNORED);
      case RESOLVE -> trace.covered(CoveragePoint.RESOLVED);
      case MEET_DEPENDENCIES, FAIL_UPSTREAM, CLAIM, START, HAND_OFF, SUCCEED, RESUME -> {}
    }
    if (change.attemptDetails() != null
        && FailingStore.REJECTED_RESULT.equals(change.attemptDetails().code())) {
      trace.covered(CoveragePoint.RESULT_REJECTED_BY_STORE);
    }
  }

  private static void detectFailure(Trace trace, TaskChange change) {
    if (change.giveUpReason() == TaskGiveUpReason.EXHAUSTED) {
      trace.covered(CoveragePoint.RETRIES_EXHAUSTED);
    } else if (change.giveUpReason() == TaskGiveUpReason.EXPIRED) {
      trace.covered(CoveragePoint.POLICY_EXPIRED);
    } else if (change.giveUpReason() == TaskGiveUpReason.NOT_RETRYABLE) {
      trace.covered(CoveragePoint.PERMANENT_FAILURE);
    }
  }

  private static void detectParked(Trace trace, TaskChange change) {
    if (change.holdChange().set().contains(HoldReason.PARKED)) {
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

  private static void detectReschedule(Trace trace, Task before) {
    trace.covered(
        before.state() == TaskState.RETRY_PENDING
            ? CoveragePoint.RETRY_RESCHEDULED
            : CoveragePoint.PENDING_RESCHEDULED);
  }

  private static void detectRevive(Trace trace, Task before) {
    trace.covered(
        before.state() == TaskState.CANCELED
            ? CoveragePoint.REVIVED_AFTER_CANCEL
            : CoveragePoint.REVIVED_AFTER_FAILURE);
  }

  static void detectRefused(World world, Task row, TaskChange change) {
    boolean completed = row.state() == TaskState.SUCCESS || row.state() == TaskState.FAILURE;
    if (change.event() == TaskEvent.CANCEL && completed) {
      world.trace.covered(
          world.batches.isStopped(row.batch())
              ? CoveragePoint.BATCH_STOPPED_BESIDE_COMPLETION
              : CoveragePoint.COMPLETION_BEFORE_CANCEL);
    }
    if (change.attemptDetails() != null
        && change.event() != TaskEvent.CANCEL
        && !world.batches.isCurrent(row)) {
      world.trace.covered(CoveragePoint.LATE_SETTLE_OF_AN_OLD_RUN);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import static dev.perdure.engine.task.TaskState.CANCELED;
import static dev.perdure.engine.task.TaskState.CLAIMED;
import static dev.perdure.engine.task.TaskState.FAILURE;
import static dev.perdure.engine.task.TaskState.PENDING;
import static dev.perdure.engine.task.TaskState.RETRY_PENDING;
import static dev.perdure.engine.task.TaskState.RUNNING;
import static dev.perdure.engine.task.TaskState.SUCCESS;
import static dev.perdure.engine.task.TaskState.WAITING;

/**
 * Every state, every event, and what follows; the illegal pairs too. No other code knows which
 * event leads where: the stores, the operator's commands and the diagram in the documents ask here.
 *
 * <p>No switch has a default: a new state or event does not compile until every pair is answered.
 */
public final class StateMachine {

  private StateMachine() {}

  public static Step next(TaskState state, TaskEvent event) {
    return switch (state) {
      case WAITING -> waiting(event);
      case PENDING -> pending(event);
      case CLAIMED -> claimed(event);
      case RUNNING -> running(event);
      case RETRY_PENDING -> retryPending(event);
      case SUCCESS -> success(event);
      case FAILURE, CANCELED -> ended(event);
    };
  }

  /** True when the event is legal in this state. */
  public static boolean allows(TaskState state, TaskEvent event) {
    return next(state, event) instanceof Step.To;
  }

  private static Step waiting(TaskEvent event) {
    return switch (event) {
      case MEET_DEPENDENCIES -> to(PENDING);
      case FAIL_UPSTREAM, EXPIRE -> to(FAILURE);
      case CANCEL -> to(CANCELED);
      case PAUSE, RESUME -> to(WAITING);
      case CLAIM, START -> refused("it waits for the tasks it depends on");
      case ENTRUST,
          SUCCEED,
          FAIL_AND_RETRY,
          FAIL_FOR_GOOD,
          TIME_OUT_AND_RETRY,
          TIME_OUT_FOR_GOOD,
          HAND_BACK,
          LOSE,
          LOSE_FOR_GOOD,
          SNOOZE ->
          notHeld();
      case RETRY_AT -> noRetryWaits();
      case REVIVE, REVIVE_WAITING -> notEnded();
    };
  }

  private static Step pending(TaskEvent event) {
    return switch (event) {
      case CLAIM -> to(CLAIMED);
      case EXPIRE -> to(FAILURE);
      case CANCEL -> to(CANCELED);
      case PAUSE, RESUME -> to(PENDING);
      case MEET_DEPENDENCIES, FAIL_UPSTREAM -> notWaiting();
      case START,
          ENTRUST,
          SUCCEED,
          FAIL_AND_RETRY,
          FAIL_FOR_GOOD,
          TIME_OUT_AND_RETRY,
          TIME_OUT_FOR_GOOD,
          HAND_BACK,
          LOSE,
          LOSE_FOR_GOOD,
          SNOOZE ->
          notHeld();
      case RETRY_AT -> noRetryWaits();
      case REVIVE, REVIVE_WAITING -> notEnded();
    };
  }

  private static Step claimed(TaskEvent event) {
    return switch (event) {
      case START -> to(RUNNING);
      case SUCCEED -> to(SUCCESS);
      case FAIL_AND_RETRY -> to(RETRY_PENDING);
      case FAIL_FOR_GOOD, EXPIRE, LOSE_FOR_GOOD -> to(FAILURE);
      case HAND_BACK, LOSE -> to(PENDING);
      case CANCEL -> to(CANCELED);
      case PAUSE, RESUME -> to(CLAIMED);
      case MEET_DEPENDENCIES, FAIL_UPSTREAM -> notWaiting();
      case CLAIM -> refused("somebody holds it already");
      case ENTRUST, TIME_OUT_AND_RETRY, TIME_OUT_FOR_GOOD, SNOOZE ->
          refused("its attempt has not started");
      case RETRY_AT -> noRetryWaits();
      case REVIVE, REVIVE_WAITING -> notEnded();
    };
  }

  private static Step running(TaskEvent event) {
    return switch (event) {
      case SUCCEED -> to(SUCCESS);
      case FAIL_AND_RETRY, TIME_OUT_AND_RETRY -> to(RETRY_PENDING);
      case FAIL_FOR_GOOD, TIME_OUT_FOR_GOOD, EXPIRE, LOSE_FOR_GOOD -> to(FAILURE);
      case HAND_BACK, LOSE, SNOOZE -> to(PENDING);
      case CANCEL -> to(CANCELED);
      case PAUSE, RESUME, ENTRUST -> to(RUNNING);
      case MEET_DEPENDENCIES, FAIL_UPSTREAM -> notWaiting();
      case CLAIM -> refused("somebody holds it already");
      case START -> refused("its attempt has started already");
      case RETRY_AT -> noRetryWaits();
      case REVIVE, REVIVE_WAITING -> notEnded();
    };
  }

  private static Step retryPending(TaskEvent event) {
    return switch (event) {
      case CLAIM -> to(CLAIMED);
      case EXPIRE -> to(FAILURE);
      case CANCEL -> to(CANCELED);
      case PAUSE, RESUME, RETRY_AT -> to(RETRY_PENDING);
      case MEET_DEPENDENCIES, FAIL_UPSTREAM -> notWaiting();
      case START,
          ENTRUST,
          SUCCEED,
          FAIL_AND_RETRY,
          FAIL_FOR_GOOD,
          TIME_OUT_AND_RETRY,
          TIME_OUT_FOR_GOOD,
          HAND_BACK,
          LOSE,
          LOSE_FOR_GOOD,
          SNOOZE ->
          notHeld();
      case REVIVE, REVIVE_WAITING -> notEnded();
    };
  }

  private static Step success(TaskEvent event) {
    return switch (event) {
      case REVIVE, REVIVE_WAITING -> refused("it succeeded, there is nothing to revive");
      case MEET_DEPENDENCIES,
          FAIL_UPSTREAM,
          CLAIM,
          START,
          ENTRUST,
          SUCCEED,
          FAIL_AND_RETRY,
          FAIL_FOR_GOOD,
          TIME_OUT_AND_RETRY,
          TIME_OUT_FOR_GOOD,
          EXPIRE,
          HAND_BACK,
          LOSE,
          LOSE_FOR_GOOD,
          SNOOZE,
          CANCEL,
          PAUSE,
          RESUME,
          RETRY_AT ->
          over();
    };
  }

  private static Step ended(TaskEvent event) {
    return switch (event) {
      case REVIVE -> to(PENDING);
      case REVIVE_WAITING -> to(WAITING);
      case MEET_DEPENDENCIES,
          FAIL_UPSTREAM,
          CLAIM,
          START,
          ENTRUST,
          SUCCEED,
          FAIL_AND_RETRY,
          FAIL_FOR_GOOD,
          TIME_OUT_AND_RETRY,
          TIME_OUT_FOR_GOOD,
          EXPIRE,
          HAND_BACK,
          LOSE,
          LOSE_FOR_GOOD,
          SNOOZE,
          CANCEL,
          PAUSE,
          RESUME,
          RETRY_AT ->
          over();
    };
  }

  private static Step to(TaskState state) {
    return new Step.To(state);
  }

  private static Step refused(String why) {
    return new Step.Refused(why);
  }

  private static Step notHeld() {
    return refused("nobody holds it");
  }

  private static Step notWaiting() {
    return refused("it does not wait for other tasks");
  }

  private static Step noRetryWaits() {
    return refused("no retry of it is waiting");
  }

  private static Step notEnded() {
    return refused("it has not ended");
  }

  private static Step over() {
    return refused("it has ended");
  }
}

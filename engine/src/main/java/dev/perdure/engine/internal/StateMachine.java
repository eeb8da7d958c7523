// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import static dev.perdure.engine.task.TaskState.CANCELED;
import static dev.perdure.engine.task.TaskState.CLAIMED;
import static dev.perdure.engine.task.TaskState.FAILURE;
import static dev.perdure.engine.task.TaskState.PENDING;
import static dev.perdure.engine.task.TaskState.RETRY_PENDING;
import static dev.perdure.engine.task.TaskState.RUNNING;
import static dev.perdure.engine.task.TaskState.SUCCESS;
import static dev.perdure.engine.task.TaskState.WAITING;

import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;

/**
 * The state that follows from every state and event, and the reason where an event is not allowed.
 * Stores, operator commands and the diagram in the documentation all use this table.
 *
 * <p>No switch has a default, so a new state or event does not compile until every pair is handled.
 */
public final class StateMachine {

  private StateMachine() {}

  public static Transition next(TaskState state, TaskEvent event) {
    return switch (state) {
      case WAITING -> waiting(event);
      case PENDING -> pending(event);
      case CLAIMED -> claimed(event);
      case RUNNING -> running(event);
      case RETRY_PENDING -> retryPending(event);
      case SUCCESS -> success(event);
      case FAILURE -> event == TaskEvent.RESOLVE ? to(SUCCESS) : failedOrCanceled(event);
      case CANCELED -> failedOrCanceled(event);
    };
  }

  /** True when the event is allowed in this state. */
  public static boolean allows(TaskState state, TaskEvent event) {
    return next(state, event) instanceof Transition.To;
  }

  private static Transition waiting(TaskEvent event) {
    return switch (event) {
      case MEET_DEPENDENCIES -> to(PENDING);
      case FAIL_UPSTREAM, EXPIRE -> to(FAILURE);
      case CANCEL -> to(CANCELED);
      case PAUSE, RESUME, RESCHEDULE -> to(WAITING);
      case CLAIM, START -> illegal("it waits for the tasks it depends on");
      case HAND_OFF,
          SUCCEED,
          FAIL_AND_RETRY,
          FAIL_AND_GIVE_UP,
          TIME_OUT_AND_RETRY,
          TIME_OUT_AND_GIVE_UP,
          HAND_BACK,
          WORKER_LOST,
          WORKER_LOST_AND_GIVE_UP,
          SNOOZE ->
          notLeased();
      case REVIVE, REVIVE_WAITING, REVIVE_IGNORING_DEPENDENCIES, RESOLVE -> notEnded();
    };
  }

  private static Transition pending(TaskEvent event) {
    return switch (event) {
      case CLAIM -> to(CLAIMED);
      case EXPIRE -> to(FAILURE);
      case CANCEL -> to(CANCELED);
      case PAUSE, RESUME, RESCHEDULE -> to(PENDING);
      case MEET_DEPENDENCIES, FAIL_UPSTREAM -> notWaiting();
      case START,
          HAND_OFF,
          SUCCEED,
          FAIL_AND_RETRY,
          FAIL_AND_GIVE_UP,
          TIME_OUT_AND_RETRY,
          TIME_OUT_AND_GIVE_UP,
          HAND_BACK,
          WORKER_LOST,
          WORKER_LOST_AND_GIVE_UP,
          SNOOZE ->
          notLeased();
      case REVIVE, REVIVE_WAITING, REVIVE_IGNORING_DEPENDENCIES, RESOLVE -> notEnded();
    };
  }

  private static Transition claimed(TaskEvent event) {
    return switch (event) {
      case START -> to(RUNNING);
      case SUCCEED -> to(SUCCESS);
      case FAIL_AND_RETRY -> to(RETRY_PENDING);
      case FAIL_AND_GIVE_UP, EXPIRE, WORKER_LOST_AND_GIVE_UP -> to(FAILURE);
      case HAND_BACK, WORKER_LOST -> to(PENDING);
      case CANCEL -> to(CANCELED);
      case PAUSE, RESUME -> to(CLAIMED);
      case MEET_DEPENDENCIES, FAIL_UPSTREAM -> notWaiting();
      case CLAIM, RESCHEDULE -> illegal("a worker already holds it");
      case HAND_OFF, TIME_OUT_AND_RETRY, TIME_OUT_AND_GIVE_UP, SNOOZE ->
          illegal("its attempt has not started");
      case REVIVE, REVIVE_WAITING, REVIVE_IGNORING_DEPENDENCIES, RESOLVE -> notEnded();
    };
  }

  private static Transition running(TaskEvent event) {
    return switch (event) {
      case SUCCEED -> to(SUCCESS);
      case FAIL_AND_RETRY, TIME_OUT_AND_RETRY -> to(RETRY_PENDING);
      case FAIL_AND_GIVE_UP, TIME_OUT_AND_GIVE_UP, EXPIRE, WORKER_LOST_AND_GIVE_UP -> to(FAILURE);
      case HAND_BACK, WORKER_LOST, SNOOZE -> to(PENDING);
      case CANCEL -> to(CANCELED);
      case PAUSE, RESUME, HAND_OFF -> to(RUNNING);
      case MEET_DEPENDENCIES, FAIL_UPSTREAM -> notWaiting();
      case CLAIM, RESCHEDULE -> illegal("a worker already holds it");
      case START -> illegal("its attempt has already started");
      case REVIVE, REVIVE_WAITING, REVIVE_IGNORING_DEPENDENCIES, RESOLVE -> notEnded();
    };
  }

  private static Transition retryPending(TaskEvent event) {
    return switch (event) {
      case CLAIM -> to(CLAIMED);
      case EXPIRE -> to(FAILURE);
      case CANCEL -> to(CANCELED);
      case PAUSE, RESUME, RESCHEDULE -> to(RETRY_PENDING);
      case MEET_DEPENDENCIES, FAIL_UPSTREAM -> notWaiting();
      case START,
          HAND_OFF,
          SUCCEED,
          FAIL_AND_RETRY,
          FAIL_AND_GIVE_UP,
          TIME_OUT_AND_RETRY,
          TIME_OUT_AND_GIVE_UP,
          HAND_BACK,
          WORKER_LOST,
          WORKER_LOST_AND_GIVE_UP,
          SNOOZE ->
          notLeased();
      case REVIVE, REVIVE_WAITING, REVIVE_IGNORING_DEPENDENCIES, RESOLVE -> notEnded();
    };
  }

  private static Transition success(TaskEvent event) {
    return switch (event) {
      case REVIVE, REVIVE_WAITING, REVIVE_IGNORING_DEPENDENCIES ->
          illegal("it succeeded; there is nothing to retry");
      case RESOLVE -> illegal("it has already succeeded");
      case MEET_DEPENDENCIES,
          FAIL_UPSTREAM,
          CLAIM,
          START,
          HAND_OFF,
          SUCCEED,
          FAIL_AND_RETRY,
          FAIL_AND_GIVE_UP,
          TIME_OUT_AND_RETRY,
          TIME_OUT_AND_GIVE_UP,
          EXPIRE,
          HAND_BACK,
          WORKER_LOST,
          WORKER_LOST_AND_GIVE_UP,
          SNOOZE,
          CANCEL,
          PAUSE,
          RESUME,
          RESCHEDULE ->
          alreadyEnded();
    };
  }

  private static Transition failedOrCanceled(TaskEvent event) {
    return switch (event) {
      case REVIVE, REVIVE_IGNORING_DEPENDENCIES -> to(PENDING);
      case REVIVE_WAITING -> to(WAITING);
      case RESOLVE -> illegal("it was canceled, which is not a failure; retry it instead");
      case MEET_DEPENDENCIES,
          FAIL_UPSTREAM,
          CLAIM,
          START,
          HAND_OFF,
          SUCCEED,
          FAIL_AND_RETRY,
          FAIL_AND_GIVE_UP,
          TIME_OUT_AND_RETRY,
          TIME_OUT_AND_GIVE_UP,
          EXPIRE,
          HAND_BACK,
          WORKER_LOST,
          WORKER_LOST_AND_GIVE_UP,
          SNOOZE,
          CANCEL,
          PAUSE,
          RESUME,
          RESCHEDULE ->
          alreadyEnded();
    };
  }

  private static Transition to(TaskState state) {
    return new Transition.To(state);
  }

  private static Transition illegal(String why) {
    return new Transition.Illegal(why);
  }

  private static Transition notLeased() {
    return illegal("no worker holds it");
  }

  private static Transition notWaiting() {
    return illegal("it does not wait for other tasks");
  }

  private static Transition notEnded() {
    return illegal("it has not ended");
  }

  private static Transition alreadyEnded() {
    return illegal("it has ended");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import dev.perdure.engine.internal.StateMachine;

/** What can happen to a task. Each is a verb; what it does is in {@link StateMachine}. */
public enum TaskEvent {
  MEET_DEPENDENCIES,
  FAIL_UPSTREAM,
  CLAIM,
  START,
  /** A callee elsewhere has taken the work over and holds a handle; nobody holds the task. */
  HAND_OFF,
  SUCCEED,
  /** The attempt failed and its policy says: again. */
  FAIL_AND_RETRY,
  /** The attempt failed and its policy gives up. */
  FAIL_AND_GIVE_UP,
  /** The attempt was silent for too long and its policy says: again. */
  TIME_OUT_AND_RETRY,
  /** The attempt was silent for too long and its policy gives up. */
  TIME_OUT_AND_GIVE_UP,
  /** The deadline passed. */
  EXPIRE,
  HAND_BACK,
  /** Whoever held the task is dead. */
  WORKER_LOST,
  /** The same, once too often. */
  WORKER_LOST_AND_GIVE_UP,
  SNOOZE,
  CANCEL,
  PAUSE,
  RESUME,
  /** An operator names another instant for the waiting retry. */
  RETRY_AT,
  /** An operator wants an ended task to run again. */
  REVIVE,
  /** The same, while some of what it depends on has not ended. */
  REVIVE_WAITING
}

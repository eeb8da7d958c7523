// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

/** What can happen to a task. {@code StateMachine} says which state follows. */
public enum TaskEvent {
  MEET_DEPENDENCIES,
  FAIL_UPSTREAM,
  CLAIM,
  START,
  /** A callee has taken over the work and holds a handle; the task has no owner meanwhile. */
  HAND_OFF,
  SUCCEED,
  /** The attempt failed and the policy retries. */
  FAIL_AND_RETRY,
  /** The attempt failed and the policy gives up. */
  FAIL_AND_GIVE_UP,
  /** The attempt was inactive for its timeout and the policy retries. */
  TIME_OUT_AND_RETRY,
  /** The attempt was inactive for its timeout and the policy gives up. */
  TIME_OUT_AND_GIVE_UP,
  /** The deadline passed. */
  EXPIRE,
  HAND_BACK,
  /** The owner of the lease died. */
  WORKER_LOST,
  /** The owner of the lease died, once more than the loss limit allows. */
  WORKER_LOST_AND_GIVE_UP,
  SNOOZE,
  CANCEL,
  PAUSE,
  RESUME,
  /** An operator moves a task that is not claimed yet to another instant. */
  RESCHEDULE,
  /** An operator runs an ended task again. */
  REVIVE,
  /** An ended task runs again once the tasks it depends on allow it. */
  REVIVE_WAITING,
  /** An operator runs an ended task again whatever the tasks it depends on do. */
  REVIVE_IGNORING_DEPENDENCIES,
  /** An operator marks a failed task as succeeded. */
  RESOLVE
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.TaskState;
import java.util.UUID;

/** A report on an attempt came after its end; nothing was changed. */
public final class StaleAttemptException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final TaskState state;
  private final long epoch;

  StaleAttemptException(UUID task, TaskState state, long epoch, String why) {
    super("task %s is %s in epoch %d: %s".formatted(task, state.title(), epoch, why));
    this.state = state;
    this.epoch = epoch;
  }

  /** The task's current state. */
  public TaskState state() {
    return state;
  }

  /** The task's current epoch. */
  public long epoch() {
    return epoch;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import java.util.Locale;

/** An operator command for many tasks. */
public enum BulkCommand {
  CANCEL,
  PAUSE,
  /** Resumes paused and parked tasks. */
  RESUME,
  /**
   * Makes waiting retries due at once and runs failed and canceled tasks again, except those that
   * depend on a task that failed, which come back with it, and those of earlier runs.
   */
  RETRY;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** True when the command changes a task in this state, if it belongs to the current run. */
  boolean appliesTo(TaskRow task) {
    return switch (this) {
      case CANCEL -> task.state().isLive();
      case PAUSE -> task.state().isLive() && !task.paused();
      case RESUME -> task.state().isLive() && (task.paused() || task.parked());
      case RETRY ->
          task.state() == TaskState.RETRY_PENDING
              || ((task.state() == TaskState.FAILURE || task.state() == TaskState.CANCELED)
                  && task.dependencies().failed() == 0);
    };
  }

  /**
   * @param due when a task is retried
   */
  TaskChange decide(TaskLifecycle lifecycle, Task task, DueTime due) {
    return switch (this) {
      case CANCEL -> lifecycle.cancel(task);
      case PAUSE -> lifecycle.pause(task);
      case RESUME -> lifecycle.resume(task);
      case RETRY ->
          task.state() == TaskState.RETRY_PENDING
              ? lifecycle.reschedule(task, due)
              : lifecycle.revive(task, due);
    };
  }
}

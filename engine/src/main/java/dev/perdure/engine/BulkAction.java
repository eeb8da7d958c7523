// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.HoldFlags;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import java.util.Locale;

/** What an operator does to many tasks at once. */
public enum BulkAction {
  CANCEL,
  PAUSE,
  /** Goes on with what is paused or parked. */
  RESUME,
  /** A retry that waits is due at once; what failed or was canceled runs again. */
  RETRY;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** True when the task is in a state in which it changes something. */
  public boolean appliesTo(TaskRow task) {
    return switch (this) {
      case CANCEL -> task.state().isLive();
      case PAUSE -> task.state().isLive() && !task.paused();
      case RESUME ->
          task.state().isLive()
              && HoldFlags.isSet(task.hold(), HoldFlags.PAUSED | HoldFlags.PARKED);
      case RETRY ->
          task.state() == TaskState.RETRY_PENDING
              || task.state() == TaskState.FAILURE
              || task.state() == TaskState.CANCELED;
    };
  }

  TaskChange decide(TaskLifecycle taskLifecycle, Task task) {
    return switch (this) {
      case CANCEL -> taskLifecycle.cancel(task);
      case PAUSE -> taskLifecycle.pause(task);
      case RESUME -> taskLifecycle.resume(task);
      case RETRY ->
          task.state() == TaskState.RETRY_PENDING
              ? taskLifecycle.retryAt(task, Due.now())
              : taskLifecycle.revive(task);
    };
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Hold;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.Task;
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
  public boolean concerns(TaskRow task) {
    return switch (this) {
      case CANCEL -> task.state().isLive();
      case PAUSE -> task.state().isLive() && !task.paused();
      case RESUME -> task.state().isLive() && Hold.has(task.hold(), Hold.PAUSED | Hold.PARKED);
      case RETRY ->
          task.state() == TaskState.RETRY_PENDING
              || task.state() == TaskState.FAILURE
              || task.state() == TaskState.CANCELED;
    };
  }

  Change decide(Lifecycle lifecycle, Task task) {
    return switch (this) {
      case CANCEL -> lifecycle.cancel(task);
      case PAUSE -> lifecycle.pause(task);
      case RESUME -> lifecycle.resume(task);
      case RETRY ->
          task.state() == TaskState.RETRY_PENDING
              ? lifecycle.retryAt(task, Due.now())
              : lifecycle.revive(task);
    };
  }
}

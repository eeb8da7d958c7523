// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.StateMachine;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskRow;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What an operator can do with a task, so that people are offered only what makes sense. The state
 * machine decides, as it does when the command runs. A command can still be refused: the task may
 * change first, belong to an earlier run of its batch, or have a dedupe key that is taken.
 */
public enum TaskAction {
  /** Makes a task that is not claimed yet, and not due, due at once. */
  RETRY_NOW(TaskEvent.RESCHEDULE),
  /** Moves a task that is not claimed yet to another instant. */
  RETRY_AT(TaskEvent.RESCHEDULE),
  /** Runs a failed or canceled task again. */
  REVIVE(TaskEvent.REVIVE),
  PAUSE(TaskEvent.PAUSE),
  /** Resumes a paused or parked task. */
  RESUME(TaskEvent.RESUME),
  CANCEL(TaskEvent.CANCEL),
  /** Ends the current attempt in place of its worker. */
  SETTLE(TaskEvent.SUCCEED),
  /** Marks a failed task as succeeded. */
  RESOLVE(TaskEvent.RESOLVE);

  private final TaskEvent event;

  TaskAction(TaskEvent event) {
    this.event = event;
  }

  /** What would change the task at this instant. */
  public static List<TaskAction> allowedOn(TaskRow task, Instant now) {
    return Stream.of(values()).filter(action -> action.changes(task, now)).toList();
  }

  private boolean changes(TaskRow task, Instant now) {
    return StateMachine.allows(task.state(), event)
        && switch (this) {
          case RETRY_NOW -> !waitsUntilClaimed(task, now);
          case REVIVE -> task.dependencies().failed() == 0;
          case PAUSE -> !task.paused();
          case RESUME -> task.paused() || task.parked();
          case RETRY_AT, CANCEL, SETTLE, RESOLVE -> true;
        };
  }

  /** True for a task that is due: moving it to now would send it to the back of the queue. */
  static boolean waitsUntilClaimed(TaskRow task, Instant now) {
    boolean unclaimed = task.state().isLive() && !task.state().isLeased();
    return unclaimed && !task.times().dueAt().isAfter(now);
  }

  /** True if it is refused for a task of an earlier run of its batch. */
  public boolean needsCurrentRun() {
    return this == REVIVE || this == RESOLVE;
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}

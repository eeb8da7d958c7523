// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.UUID;

/** What was asked of a task cannot be done in the state it is in; nothing was changed. */
public final class IllegalTransitionException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final TaskState state;
  private final TaskEvent event;

  public IllegalTransitionException(UUID task, TaskState state, TaskEvent event, String why) {
    super("task " + task + " is " + state.title() + ", " + verb(event) + " is refused: " + why);
    this.state = state;
    this.event = event;
  }

  public TaskState state() {
    return state;
  }

  public TaskEvent event() {
    return event;
  }

  private static String verb(TaskEvent event) {
    return event.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
  }
}

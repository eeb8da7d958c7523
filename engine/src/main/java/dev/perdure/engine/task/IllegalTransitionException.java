// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.Locale;
import java.util.UUID;

/** The task is in a state that does not allow the event; nothing was changed. */
public final class IllegalTransitionException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final TaskState state;
  private final TaskEvent event;

  public IllegalTransitionException(UUID task, TaskState state, TaskEvent event, String why) {
    super("cannot %s task %s, which is %s: %s".formatted(verb(event), task, state.title(), why));
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
    return event == TaskEvent.RETRY_AT
        ? "retry"
        : event.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}

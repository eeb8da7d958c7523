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
    super("%s %s, which is %s: %s".formatted(refusal(event), task, state.title(), why));
    this.state = state;
    this.event = event;
  }

  public TaskState state() {
    return state;
  }

  public TaskEvent event() {
    return event;
  }

  private static String refusal(TaskEvent event) {
    return switch (event) {
      case CLAIM, START, CANCEL, PAUSE, RESUME, RESCHEDULE, SNOOZE, EXPIRE, RESOLVE ->
          "cannot " + text(event) + " task";
      case REVIVE, REVIVE_WAITING, REVIVE_IGNORING_DEPENDENCIES -> "cannot retry task";
      default -> "the event '" + text(event) + "' is not allowed for task";
    };
  }

  private static String text(TaskEvent event) {
    return event.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}

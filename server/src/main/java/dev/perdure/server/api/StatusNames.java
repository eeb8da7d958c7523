// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The states' names in JSON: {@code RetryPending}; and {@code Paused} for what is held back. */
final class StatusNames {

  static final String PAUSED = "Paused";

  private StatusNames() {}

  static String of(Task task) {
    boolean waits = task.state().isLive() && !task.state().isHeld();
    return waits && task.paused() ? PAUSED : of(task.state());
  }

  static String of(TaskState state) {
    StringBuilder name = new StringBuilder();
    for (String word : state.text().split("_", -1)) {
      name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
    }
    return name.toString();
  }

  /** The state of a name in any case; empty for an unknown one. */
  static Optional<TaskState> parse(String name) {
    return Stream.of(TaskState.values())
        .filter(state -> of(state).equalsIgnoreCase(name))
        .findFirst();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The status of a task as people see it and filter by it: its state, or what keeps it from being
 * claimed. A task that is paused and parked is shown as paused.
 */
public enum DisplayStatus {
  WAITING,
  PENDING,
  CLAIMED,
  RUNNING,
  RETRY_PENDING,
  /** An operator paused it before it was claimed. */
  PAUSED,
  /** No handler here can read or run it; the failure reason says why. */
  PARKED,
  SUCCESS,
  FAILURE,
  CANCELED;

  public static DisplayStatus of(TaskState state, Set<HoldReason> hold) {
    if (state.isLive() && !state.isLeased()) {
      if (hold.contains(HoldReason.PAUSED)) {
        return PAUSED;
      }
      if (hold.contains(HoldReason.PARKED)) {
        return PARKED;
      }
    }
    return valueOf(state.name());
  }

  /** The status with this name, such as {@code RetryPending} or {@code retry_pending}. */
  public static Optional<DisplayStatus> of(String text) {
    String name = text.replace("_", "");
    return Stream.of(values())
        .filter(status -> status.toString().equalsIgnoreCase(name))
        .findFirst();
  }

  /** The name in the database. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The states of tasks that can have this status. */
  public Set<TaskState> states() {
    return this == PAUSED || this == PARKED
        ? EnumSet.of(TaskState.WAITING, TaskState.PENDING, TaskState.RETRY_PENDING)
        : EnumSet.of(TaskState.valueOf(name()));
  }

  /** The name in JSON and to show. */
  @Override
  public String toString() {
    StringBuilder title = new StringBuilder();
    for (String word : text().split("_", -1)) {
      title.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
    }
    return title.toString();
  }
}

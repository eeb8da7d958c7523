// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Where a task stands. */
public enum TaskState {
  /** Some of the tasks it depends on have not ended. */
  WAITING,
  /** Ready as soon as it is due. */
  PENDING,
  /** Somebody holds it and is about to start it. */
  CLAIMED,
  /** An attempt is under way. */
  RUNNING,
  /** An attempt failed and the next one has its instant. */
  RETRY_PENDING,
  SUCCESS,
  FAILURE,
  CANCELED;

  /** The word for it in the database. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The word for it in JSON, and for people. */
  public String title() {
    StringBuilder title = new StringBuilder();
    for (String word : text().split("_", -1)) {
      title.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
    }
    return title.toString();
  }

  public static Optional<TaskState> of(String text) {
    return Stream.of(values()).filter(state -> state.text().equals(text)).findFirst();
  }

  /** True while something can still happen to the task without an operator. */
  public boolean isLive() {
    return !isTerminal();
  }

  public boolean isTerminal() {
    return this == SUCCESS || this == FAILURE || this == CANCELED;
  }

  /** True while somebody holds a lease on the task. */
  public boolean isLeased() {
    return this == CLAIMED || this == RUNNING;
  }

  /** True when it may be claimed once it is due and nothing holds it back. */
  public boolean isClaimable() {
    return this == PENDING || this == RETRY_PENDING;
  }
}

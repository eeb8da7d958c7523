// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The state of a task. */
public enum TaskState {
  /** It depends on tasks that have not ended. */
  WAITING,
  /** It can be claimed as soon as it is due. */
  PENDING,
  /** A worker holds it and is about to start it. */
  CLAIMED,
  /** An attempt is running. */
  RUNNING,
  /** An attempt failed and the next one is scheduled. */
  RETRY_PENDING,
  SUCCESS,
  FAILURE,
  CANCELED;

  /** The name in the database. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name in JSON and to show. */
  public String title() {
    return DisplayStatus.valueOf(name()).toString();
  }

  public static Optional<TaskState> of(String text) {
    return Stream.of(values()).filter(state -> state.text().equals(text)).findFirst();
  }

  /** True until the task has ended; after that only an operator can change it. */
  public boolean isLive() {
    return !isTerminal();
  }

  public boolean isTerminal() {
    return this == SUCCESS || this == FAILURE || this == CANCELED;
  }

  /** True while a lease on the task is held. */
  public boolean isLeased() {
    return this == CLAIMED || this == RUNNING;
  }

  /** True when it can be claimed once it is due and nothing holds it back. */
  public boolean isClaimable() {
    return this == PENDING || this == RETRY_PENDING;
  }
}

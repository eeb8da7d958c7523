// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The status that the server shows for a task. */
public enum TaskStatus {
  /** It waits for other tasks. */
  WAITING("Waiting"),
  /** It waits for a worker, or for its time. */
  PENDING("Pending"),
  /** A worker has it and has not started it. */
  CLAIMED("Claimed"),
  RUNNING("Running"),
  /** An attempt failed, and a retry is scheduled. */
  RETRY_PENDING("RetryPending"),
  /** It is not claimed until it is resumed. */
  PAUSED("Paused"),
  /** It cannot run as it is, and its failure reason says why; it waits until it is resumed. */
  PARKED("Parked"),
  SUCCESS("Success"),
  FAILURE("Failure"),
  CANCELED("Canceled"),
  /** A status that this version of the client does not know. */
  UNKNOWN("Unknown");

  private static final Set<TaskStatus> ENDED = EnumSet.of(SUCCESS, FAILURE, CANCELED);

  private final String text;

  TaskStatus(String text) {
    this.text = text;
  }

  /** The name in JSON and on the command line. */
  public String text() {
    return text;
  }

  /** Nothing happens to the task any more, unless someone retries it. */
  public boolean isEnded() {
    return ENDED.contains(this);
  }

  /** The statuses of tasks that have not ended. */
  public static List<TaskStatus> live() {
    return List.of(WAITING, PENDING, RETRY_PENDING, PAUSED, PARKED, CLAIMED, RUNNING);
  }

  /**
   * The status of this name, such as {@code RetryPending} or {@code retry_pending}; {@link
   * #UNKNOWN} for any other text.
   */
  public static TaskStatus of(String text) {
    String name = text.replace("_", "");
    return Stream.of(values())
        .filter(status -> status.text.equalsIgnoreCase(name))
        .findFirst()
        .orElse(UNKNOWN);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a call continues as a durable task. There is no result yet, but the work is not lost.
 * The cause is the failure of the last attempt in process; earlier failures and a {@link
 * RetrySummary} are suppressed. A {@link Retry} never retries this exception.
 */
public final class HandedOverException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final UUID taskId;

  HandedOverException(String kind, UUID taskId, @Nullable Throwable cause) {
    super("handed over as task %s of kind '%s'".formatted(taskId, kind), cause);
    this.taskId = taskId;
  }

  /** Returns the id of the task that continues the work. */
  public UUID taskId() {
    return taskId;
  }
}

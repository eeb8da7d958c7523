// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * There is no result yet, but the work is not lost: it goes on as a task. The cause is what the
 * last attempt in the process failed with; the earlier ones and a {@link RetrySummary} are
 * suppressed. No {@link Retry} tries it again.
 */
public final class HandedOverException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final UUID taskId;

  HandedOverException(String kind, UUID task, @Nullable Throwable cause) {
    super("handed over as task %s of kind '%s'".formatted(task, kind), cause);
    this.taskId = task;
  }

  /** The id under which the work goes on. */
  public UUID taskId() {
    return taskId;
  }
}

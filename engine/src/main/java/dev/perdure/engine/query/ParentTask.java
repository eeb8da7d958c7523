// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.DisplayStatus;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task that another one depends on.
 *
 * @param localId the submitter's own id
 * @param requiresSuccess true when the child fails unless this task succeeds
 * @param outcome what became of the dependency; null while this task has not ended
 * @param result its result as JSON; null without one, and when it is omitted
 * @param resultOmitted true when the result is larger than was asked for: read it from the task
 */
public record ParentTask(
    UUID id,
    @Nullable String localId,
    @Nullable String name,
    String kind,
    DisplayStatus status,
    boolean requiresSuccess,
    @Nullable DependencyOutcome outcome,
    @Nullable String result,
    boolean resultOmitted) {

  /** Maximum size of a result that is passed on, in bytes of UTF-8. */
  public static final int MAX_RESULT_BYTES = 64 * 1024;
}

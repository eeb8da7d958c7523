// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.task.DisplayStatus;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A task that the running one depended on, and what it left. */
public final class ParentResult {

  private final ParentTask task;
  private final PayloadCodec payloadCodec;

  ParentResult(ParentTask task, PayloadCodec payloadCodec) {
    this.task = task;
    this.payloadCodec = payloadCodec;
  }

  public UUID id() {
    return task.id();
  }

  /** The id that the submitter gave it; null when it gave none. */
  public @Nullable String localId() {
    return task.localId();
  }

  public DisplayStatus status() {
    return task.status();
  }

  /**
   * Its result; null when it has none.
   *
   * @throws IllegalStateException when the result is larger than 64 KiB: read it from the task then
   */
  public <T> @Nullable T result(Class<T> type) {
    if (task.resultOmitted()) {
      throw new IllegalStateException(
          "the result of task %s is larger than %d bytes; read it with Engine.find"
              .formatted(task.id(), ParentTask.MAX_RESULT_BYTES));
    }
    return task.result() == null ? null : payloadCodec.read(task.result(), type);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One call of a handler, read from the log of its process.
 *
 * @param worker the lease owner that the task named
 * @param process the worker process that ran it
 * @param end null if the process was killed before the handler ended
 */
record Execution(
    UUID task,
    long attempt,
    long epoch,
    String worker,
    WorkerRun process,
    Instant start,
    @Nullable End end) {

  /** How a handler ended. */
  enum EndKind {
    SUCCESS,
    FAILURE,
    INTERRUPTED
  }

  /** The end of a handler. */
  record End(Instant at, EndKind kind) {}

  Execution ended(End value) {
    return new Execution(task, attempt, epoch, worker, process, start, value);
  }

  /** Returns when the execution was certainly over, or null if it never ended. */
  @Nullable Instant over() {
    return end == null ? process.killedAt() : end.at();
  }

  @Override
  public String toString() {
    return "execution of attempt %d in epoch %d by %s in %s, %s to %s"
        .formatted(attempt, epoch, worker, process, start, end);
  }
}

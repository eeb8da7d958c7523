// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.query.BatchReader;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** The rows of the batches and of their runs. */
public interface BatchStore extends BatchReader {

  /**
   * Records that an operator stops the batch; a batch that was stopped before keeps its instant. A
   * run that waits for its time does not start.
   *
   * @return false when there is no such batch
   */
  boolean markStopped(UUID batch);

  /** Runs whose tasks have all ended, but whose outcome is not stored yet; at most the limit. */
  List<CompletedRun> completedRuns(int limit);

  /**
   * Ends the run: its next run is due after the delay, or the batch is final, which its deliveries
   * and the tasks of other batches that depend on it are notified in the same transaction.
   *
   * @return false when the run is not {@link #completedRuns complete} any more, or when one of its
   *     tasks was revived or resolved since it was read: it is decided anew
   */
  boolean endRun(RunDecision decision);

  /** A run that is due, or to be made due. */
  record DueRun(UUID batch, int number) {}

  /** Runs that are due, the longest due first; at most the limit. */
  List<DueRun> dueRuns(int limit);

  /**
   * Starts a run: the tasks of the run before are stored again under new ids, with the same
   * dependencies among each other and on tasks of other batches. Tasks of other batches that
   * depended on the old ones depend on the new ones. A task whose dedupe key a live task has is not
   * stored again, and the live task takes its place; see {@link HeldTasks}.
   *
   * @param ids creates ids in the shard of the batch, each greater than the one before
   * @return the number of tasks; 0 when the run is not due any more, or was put off
   */
  int startRun(DueRun run, Supplier<UUID> ids);

  /**
   * Makes the next run of a batch due at once: one that waits for its time, or another one of a
   * batch that is final. A batch that was stopped is not stopped any more. Repeating it, even when
   * the run has started, changes nothing.
   *
   * @return false when the run is not the next one, or when the batch is live, is being deleted, or
   *     does not exist
   */
  boolean runAgain(DueRun run);
}

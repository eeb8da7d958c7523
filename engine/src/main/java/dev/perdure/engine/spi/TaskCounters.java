// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import java.util.List;

/** Changes what is counted and said of tasks, without moving them to another state. */
public interface TaskCounters {

  /**
   * Adds to the counters of attempts, each lease once in a call; those of one shard in one
   * transaction. Unlike a sign of life it must not be repeated when its answer was lost. What is
   * stale, or would make a counter pass {@link Long#MAX_VALUE}, changes nothing and spoils no
   * other. One whose task somebody else is just writing may be left out rather than waited for.
   *
   * @return one verdict each, in the same order; one that was refused although the lease is {@link
   *     WriteResult#isLeaseStillHeld held} either does not fit or found somebody in the way
   */
  List<WriteResult> add(List<ProgressReport> progressReports);

  /** Writes all of a revision or, when its task has ended or its lease is over, nothing. */
  WriteResult update(TaskUpdate taskUpdate);
}

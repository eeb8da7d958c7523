// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import java.util.List;

/** Updates the counters and other fields of tasks without changing their state. */
public interface TaskCounters {

  /**
   * Adds to the counters of attempts. A call names each lease at most once; the reports of one
   * shard are one transaction. Unlike a heartbeat, a report must not be repeated when its answer
   * was lost. A report that is stale or would make a counter exceed {@link Long#MAX_VALUE} changes
   * nothing and does not affect the others. A report whose task is locked by another write may be
   * skipped.
   *
   * @return one result per report, in the same order. A report that was not applied although its
   *     lease is {@link WriteResult#isLeaseStillHeld held} either overflows or was skipped
   */
  List<WriteResult> add(List<ProgressReport> reports);

  /** Writes the whole update, or nothing when the task has ended or the lease is no longer held. */
  WriteResult update(TaskUpdate update);
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * What must still be true when a change is written. The epoch alone would let a change through that
 * was decided before a revive; the epoch and the attempt number together never repeat.
 *
 * @param worker the worker that held the task when the change was decided. The store does not
 *     compare it, because an epoch has one owner, or none after a hand-off; the record of the ended
 *     lease names it
 * @param inactive true when the change also requires inactivity, checked at the write: for a lost
 *     worker its lease has still expired, for a timeout the attempt is still inactive
 * @param dependencies the counts that the decision was based on; null when it did not depend on
 *     them
 */
public record Guard(
    TaskState from,
    long epoch,
    long attempt,
    @Nullable String worker,
    boolean inactive,
    @Nullable DependencyCounts dependencies) {

  /** A guard that does not compare dependencies. */
  public Guard(
      TaskState from, long epoch, long attempt, @Nullable String worker, boolean inactive) {
    this(from, epoch, attempt, worker, inactive, null);
  }
}

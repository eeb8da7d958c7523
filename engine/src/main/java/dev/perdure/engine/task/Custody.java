// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * In whose hands a task is.
 *
 * @param epoch the last lease; only grows
 * @param worker who holds it; null when nobody does, and while it is entrusted to a callee
 * @param handleEpoch the first lease of this attempt, for tasks of a lane: a handle given to a
 *     callee is bound to it, and stays good when the same attempt is begun again
 * @param cancelAction how the callee that it is entrusted to is told to stop, JSON
 */
public record Custody(
    long epoch,
    @Nullable String worker,
    @Nullable Long handleEpoch,
    @Nullable String cancelAction) {

  /** In the hands of this worker, or of nobody. */
  public static Custody of(long epoch, @Nullable String worker) {
    return new Custody(epoch, worker, null, null);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * What must still be true when a change is written. Epoch alone would let a change through that was
 * decided before a revive; with the attempt number beside it nothing can come back to the same
 * values.
 *
 * @param worker who held it when the change was decided. It is not compared, since an epoch has one
 *     holder, or nobody once it was entrusted, but named by the record of a lease that ends
 * @param inactive also: nothing was heard in time, judged when it is written: for a loss the lease
 *     of a remote worker has still run out, for a timeout the attempt is still silent
 */
public record Guard(
    TaskState from, long epoch, long attempt, @Nullable String worker, boolean inactive) {}

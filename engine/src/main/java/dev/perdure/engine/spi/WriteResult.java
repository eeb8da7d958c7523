// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * The result of one guarded write.
 *
 * @param applied true when it was written
 * @param observed true when {@link DependencyStore#propagate} has something to do because of it
 * @param limited true when a claim may find a task that waited for a limit because of it
 * @param state the task's actual state when it was not; null when there is no such task
 * @param epoch the task's actual epoch when it was not
 */
public record WriteResult(
    boolean applied, boolean observed, boolean limited, @Nullable TaskState state, long epoch) {

  private static final WriteResult APPLIED = new WriteResult(true, false, false, null, 0);
  private static final WriteResult OBSERVED = new WriteResult(true, true, false, null, 0);
  private static final WriteResult MISSING = new WriteResult(false, false, false, null, 0);

  public static WriteResult written() {
    return APPLIED;
  }

  /** It was written, and recorded an event for the tasks that depend on it. */
  public static WriteResult writtenAndObserved() {
    return OBSERVED;
  }

  /** A written one with these properties. */
  public static WriteResult written(boolean observed, boolean limited) {
    return limited ? new WriteResult(true, observed, true, null, 0) : observed ? OBSERVED : APPLIED;
  }

  public static WriteResult notFound() {
    return MISSING;
  }

  /** True when it was not written although this lease is held: another write was in the way. */
  public boolean isLeaseStillHeld(LeaseKey lease) {
    return !applied && state != null && state.isLeased() && epoch == lease.epoch();
  }

  public static WriteResult refused(TaskState state, long epoch) {
    return new WriteResult(false, false, false, state, epoch);
  }
}

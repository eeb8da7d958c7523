// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * What became of one guarded write.
 *
 * @param applied true when it was written
 * @param state what the task's state was instead, when it was not; null when there is no such task
 * @param epoch what the task's epoch was instead, when it was not
 */
public record Verdict(boolean applied, @Nullable TaskState state, long epoch) {

  private static final Verdict APPLIED = new Verdict(true, null, 0);
  private static final Verdict MISSING = new Verdict(false, null, 0);

  public static Verdict done() {
    return APPLIED;
  }

  public static Verdict missing() {
    return MISSING;
  }

  /** True when it was not written although this lease is held: somebody was in the way. */
  public boolean holds(LeaseKey lease) {
    return !applied && state != null && state.isHeld() && epoch == lease.epoch();
  }

  public static Verdict refused(TaskState state, long epoch) {
    return new Verdict(false, state, epoch);
  }
}

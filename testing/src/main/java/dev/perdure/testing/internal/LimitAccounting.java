// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing.internal;

import dev.perdure.engine.spi.LimitTables.LimitUpdate;
import dev.perdure.engine.task.TaskChange;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the in-memory store counts what limits have in use. The simulation overrides a method to
 * plant a bug.
 */
public interface LimitAccounting {

  /** The accounting of every store. */
  LimitAccounting CORRECT = new LimitAccounting() {};

  /** Returns whether a change that ends a lease frees the places of the task. */
  default boolean frees(TaskChange change) {
    return true;
  }

  /** Returns whether a claim learns that the end of a lease has freed a place. */
  default boolean wakes(TaskChange change) {
    return true;
  }

  /** Returns whether a running task leaves its place in a limit that its changed rules lack. */
  default boolean leavesOldLimits() {
    return true;
  }

  /** Returns whether a running task takes a place in a limit that its changed rules add. */
  default boolean entersNewLimits() {
    return true;
  }

  /**
   * Returns how many places a check of a limit expects to be freed by events.
   *
   * @param freed how many will be
   */
  default long freedLater(long freed) {
    return freed;
  }

  /** Returns whether another transaction has locked the limit. */
  default boolean isLocked(String key) {
    return false;
  }

  /**
   * Returns how many places a claim takes for used.
   *
   * @param used how many are
   */
  default long used(int shard, String key, long used) {
    return used;
  }

  /** Returns when the next start of a rate keeps the distance to the last one. */
  default @Nullable Instant nextStart(int shard, LimitUpdate update, Instant now) {
    return update.limit().nextStart();
  }

  /** Returns whether running tasks count in new limits of their kind. */
  default boolean limitsRunning() {
    return true;
  }

  /** Returns whether due tasks get the limits of their kind before they are claimed. */
  default boolean limitsDue() {
    return true;
  }
}

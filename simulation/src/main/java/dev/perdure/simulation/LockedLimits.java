// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.LimitTables.LimitUpdate;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.testing.internal.LimitAccounting;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Lets a claim skip some limits, as a real database does with those that another claim has locked,
 * and tells the checker by which rule a claim decides.
 */
final class LockedLimits implements LimitAccounting {

  private static final int PERCENT_LOCKED = 10;

  private final LimitAccounting inner;
  private final SimulationRandom random;
  private final FaultPlan faults;
  private final LimitChecker checker;

  LockedLimits(
      LimitAccounting inner, SimulationRandom random, FaultPlan faults, LimitChecker checker) {
    this.inner = inner;
    this.random = random;
    this.faults = faults;
    this.checker = checker;
  }

  @Override
  public boolean isLocked(String key) {
    return !faults.hasEnded() && random.percent(PERCENT_LOCKED);
  }

  @Override
  public boolean frees(TaskChange change) {
    return inner.frees(change);
  }

  @Override
  public boolean wakes(TaskChange change) {
    return inner.wakes(change);
  }

  @Override
  public boolean leavesOldLimits() {
    return inner.leavesOldLimits();
  }

  @Override
  public boolean entersNewLimits() {
    return inner.entersNewLimits();
  }

  @Override
  public boolean limitsRunning() {
    return inner.limitsRunning();
  }

  @Override
  public boolean limitsDue() {
    return inner.limitsDue();
  }

  @Override
  public long freedLater(long freed) {
    return inner.freedLater(freed);
  }

  @Override
  public long used(int shard, String key, long used) {
    checker.opened(shard, key, used);
    return inner.used(shard, key, used);
  }

  @Override
  public @Nullable Instant nextStart(int shard, LimitUpdate update, Instant now) {
    checker.decided(shard, update.limit());
    return inner.nextStart(shard, update, now);
  }
}

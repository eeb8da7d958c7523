// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.spi.PropagationTables.CountChange;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.internal.GraphRules;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Lets a propagation skip some events and tasks, as a real database does with rows that another
 * transaction has locked. They are handled later, and in another order.
 */
final class LockedRows implements GraphRules {

  private static final int PERCENT_LOCKED = 10;

  private final GraphRules inner;
  private final SimulationRandom random;
  private final FaultPlan faults;

  LockedRows(GraphRules inner, SimulationRandom random, FaultPlan faults) {
    this.inner = inner;
    this.random = random;
    this.faults = faults;
  }

  @Override
  public boolean records(TaskChange change) {
    return inner.records(change);
  }

  @Override
  public boolean isLocked(UUID task) {
    return !faults.hasEnded() && random.percent(PERCENT_LOCKED);
  }

  @Override
  public void record(UUID task, Runnable store) {
    inner.record(task, store);
  }

  @Override
  public ParentStatus status(Task task, @Nullable TaskState state) {
    return inner.status(task, state);
  }

  @Override
  public boolean reaches(Task child) {
    return inner.reaches(child);
  }

  @Override
  public boolean countsForOtherBatches(boolean batchIsFinal) {
    return inner.countsForOtherBatches(batchIsFinal);
  }

  @Override
  public TaskState stateAfter(CountChange change, DependencyCounts before) {
    return inner.stateAfter(change, before);
  }

  @Override
  public boolean startsRun(boolean due) {
    return inner.startsRun(due);
  }

  @Override
  public boolean holdsDedupeKey(Task task) {
    return inner.holdsDedupeKey(task);
  }

  @Override
  public boolean replaces(boolean unclaimed) {
    return inner.replaces(unclaimed);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.internal.GraphRules;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Lets a propagation skip some events, as a real database does with rows that another transaction
 * has locked. They are handled later, and in another order.
 */
final class LockedEvents implements GraphRules {

  private static final int PERCENT_LOCKED = 20;

  private final GraphRules inner;
  private final SimulationRandom random;
  private final FaultPlan faults;

  LockedEvents(GraphRules inner, SimulationRandom random, FaultPlan faults) {
    this.inner = inner;
    this.random = random;
    this.faults = faults;
  }

  @Override
  public boolean records(TaskChange change) {
    return inner.records(change);
  }

  @Override
  public boolean finds(UUID task, @Nullable TaskState state) {
    boolean locked = !faults.hasEnded() && random.percent(PERCENT_LOCKED);
    return !locked && inner.finds(task, state);
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
  public boolean releases(DependencyCounts before, DependencyCounts after) {
    return inner.releases(before, after);
  }

  @Override
  public boolean startsRun(boolean due) {
    return inner.startsRun(due);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing.internal;

import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.spi.PropagationTables.CountChange;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How the in-memory store propagates, starts runs and finds duplicates. The simulation overrides a
 * rule to plant a bug.
 */
public interface GraphRules {

  /** The rules of every store. */
  GraphRules CORRECT = new GraphRules() {};

  /** Returns whether the change of a task that others observe is recorded as an event. */
  default boolean records(TaskChange change) {
    return change.endsOrRevives();
  }

  /**
   * Stores the event of a change, which is part of the transaction of that change.
   *
   * @param store stores it
   */
  default void record(UUID task, Runnable store) {
    store.run();
  }

  /** Returns whether another transaction has locked the task or its event. */
  default boolean isLocked(UUID task) {
    return false;
  }

  /**
   * Returns what counts for the tasks that depend on this one.
   *
   * @param state the state that the task had at the event; null unless a change recorded it
   */
  default ParentStatus status(Task task, @Nullable TaskState state) {
    return ParentStatus.of(task);
  }

  /**
   * Returns whether the state of a task counts for other batches.
   *
   * @param batchIsFinal whether its batch will not run again
   */
  default boolean countsForOtherBatches(boolean batchIsFinal) {
    return batchIsFinal;
  }

  /** Returns whether the counts of a task are updated with its dependencies. */
  default boolean reaches(Task child) {
    return true;
  }

  /** Returns the state of a task after its counts have changed. */
  default TaskState stateAfter(CountChange change, DependencyCounts before) {
    return change.to();
  }

  /**
   * Returns whether a run is started.
   *
   * @param due whether it is the next run of its batch, is due, and all tasks before it have ended
   */
  default boolean startsRun(boolean due) {
    return due;
  }

  /** Returns whether no other task can have the dedupe key of this one. */
  default boolean holdsDedupeKey(Task task) {
    return task.state().isLive();
  }

  /**
   * Returns whether a task takes the payload of its duplicate.
   *
   * @param unclaimed whether it has never been claimed
   */
  default boolean replaces(boolean unclaimed) {
    return unclaimed;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing.internal;

import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How the in-memory store propagates. The simulation overrides a rule to plant a bug. */
public interface PropagationRules {

  /** The rules of every store. */
  PropagationRules CORRECT = new PropagationRules() {};

  /** Returns whether the change of a task that others observe is recorded as an event. */
  default boolean records(TaskChange change) {
    return change.endsOrRevives();
  }

  /**
   * Returns whether a propagation finds the event.
   *
   * @param state the state that the task had then; null unless a change recorded the event
   */
  default boolean finds(UUID task, @Nullable TaskState state) {
    return true;
  }

  /**
   * Returns what counts for the tasks that depend on this one.
   *
   * @param state the state that the task had at the event; null unless a change recorded it
   */
  default ParentStatus status(Task task, @Nullable TaskState state) {
    return ParentStatus.of(task);
  }

  /** Returns whether the counts of a task are updated with its dependencies. */
  default boolean reaches(Task child) {
    return true;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.internal.GraphRules;
import org.jspecify.annotations.Nullable;

/** Treats a task that will be retried like one that failed for good. */
final class RetryPendingPropagated implements GraphRules {

  @Override
  public boolean records(TaskChange change) {
    return GraphRules.super.records(change) || change.to() == TaskState.RETRY_PENDING;
  }

  @Override
  public ParentStatus status(Task task, @Nullable TaskState state) {
    return task.state() == TaskState.RETRY_PENDING
        ? new ParentStatus(TaskState.FAILURE, false, task.dependencies())
        : ParentStatus.of(task);
  }
}

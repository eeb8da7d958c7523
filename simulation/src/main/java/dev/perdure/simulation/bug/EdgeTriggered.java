// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.internal.GraphRules;
import org.jspecify.annotations.Nullable;

/** Propagates what the event says, whatever has become of the task since. */
final class EdgeTriggered implements GraphRules {

  @Override
  public ParentStatus status(Task task, @Nullable TaskState state) {
    ParentStatus current = ParentStatus.of(task);
    return state == null
        ? current
        : new ParentStatus(state, current.upstreamFailed(), current.counts());
  }
}

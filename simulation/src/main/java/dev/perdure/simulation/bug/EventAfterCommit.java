// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.internal.PropagationRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Records the events of changes a moment after it got their results, unless it dies before. */
final class EventAfterCommit extends ForwardingStore {

  /** Finds the events of changes only after they were recorded. */
  static final class LateEvents implements PropagationRules {

    private final Set<UUID> recorded = new HashSet<>();

    @Override
    public boolean finds(UUID task, @Nullable TaskState state) {
      return state == null || recorded.contains(task);
    }
  }

  private final Executor later;
  private final LateEvents events;

  EventAfterCommit(TaskStore inner, Executor later, LateEvents events) {
    super(inner);
    this.later = later;
    this.events = events;
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    List<WriteResult> results = inner.apply(changes);
    for (int i = 0; i < changes.size(); i++) {
      UUID task = changes.get(i).task();
      if (results.get(i).observed()) {
        later.execute(() -> events.recorded.add(task));
      }
    }
    return results;
  }
}

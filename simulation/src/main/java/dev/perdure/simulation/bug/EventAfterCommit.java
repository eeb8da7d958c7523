// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.testing.internal.GraphRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * Records the events of changes a moment after it got their results. When it dies before, or gets
 * no result, they are lost.
 */
final class EventAfterCommit extends ForwardingStore {

  /** Leaves it to the node to record the events of its changes. */
  static final class LateEvents implements GraphRules {

    private final Map<UUID, Runnable> notRecorded = new HashMap<>();

    @Override
    public void record(UUID task, Runnable store) {
      notRecorded.put(task, store);
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
      Runnable event = events.notRecorded.remove(changes.get(i).task());
      if (event != null && results.get(i).observed()) {
        later.execute(event);
      }
    }
    return results;
  }
}

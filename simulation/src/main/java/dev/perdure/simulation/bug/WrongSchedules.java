// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.simulation.bug.ChangedDecisions.WrongDecision;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A store with a bug in its schedules. */
final class WrongSchedules extends ForwardingStore {

  private final UnaryOperator<ScheduleStore> bug;

  WrongSchedules(TaskStore inner, UnaryOperator<ScheduleStore> bug) {
    super(inner);
    this.bug = bug;
  }

  /** Nodes decide wrongly. */
  static UnaryOperator<TaskStore> decisions(WrongDecision wrong) {
    return store -> new WrongSchedules(store, inner -> new ChangedDecisions(inner, wrong));
  }

  /** Edits are applied whatever version their author has seen. */
  static UnaryOperator<TaskStore> edits() {
    return store -> new WrongSchedules(store, VersionIgnored::new);
  }

  @Override
  public ScheduleStore schedules() {
    return bug.apply(inner.schedules());
  }

  private static final class VersionIgnored extends ForwardingScheduleStore {

    VersionIgnored(ScheduleStore inner) {
      super(inner);
    }

    @Override
    public boolean update(UUID id, ScheduleContent content, @Nullable Long version) {
      return inner.update(id, content, null);
    }
  }
}

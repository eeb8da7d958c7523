// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskStore;
import java.util.ArrayList;
import java.util.List;

/** Submits the tasks of a firing after the firing is stored. */
final class TasksAfterFiring extends ForwardingScheduleStore {

  private final TaskStore store;

  TasksAfterFiring(TaskStore store, ScheduleStore inner) {
    super(inner);
    this.store = store;
  }

  @Override
  public FiringRound fireDue(int limit, FiringDecider decider) {
    List<Submission> submissions = new ArrayList<>();
    FiringRound round =
        inner.fireDue(
            limit,
            (due, now) -> {
              FiringDecision decision = decider.decide(due, now);
              submissions.addAll(decision.submissions());
              return new FiringDecision(
                  decision.firings(),
                  List.of(),
                  decision.nextAt(),
                  decision.lookAt(),
                  decision.queued());
            });
    submissions.forEach(store::submit);
    return round;
  }
}

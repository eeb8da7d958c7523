// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.ScheduleStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Fires first and moves the next instant afterwards. In between, the schedule is still due. */
final class FiringInTwoTransactions extends ForwardingScheduleStore {

  FiringInTwoTransactions(ScheduleStore inner) {
    super(inner);
  }

  @Override
  public FiringRound fireDue(int limit, FiringDecider decider) {
    Map<UUID, FiringDecision> decisions = new LinkedHashMap<>();
    FiringRound round =
        inner.fireDue(
            limit,
            (due, now) -> {
              FiringDecision decision = decider.decide(due, now);
              decisions.put(due.schedule().id(), decision);
              return new FiringDecision(
                  decision.firings(),
                  decision.submissions(),
                  due.schedule().nextAt(),
                  now,
                  decision.queued());
            });
    decisions.forEach(
        (id, decision) ->
            inner.fire(
                id,
                (due, now) ->
                    new FiringDecision(
                        List.of(),
                        List.of(),
                        due.schedule().enabled() ? decision.nextAt() : null,
                        decision.lookAt(),
                        due.schedule().queued())));
    return round;
  }
}

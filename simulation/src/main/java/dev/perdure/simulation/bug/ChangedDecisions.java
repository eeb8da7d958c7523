// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.schedule.Firing.Outcome;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.TriggerJson;
import dev.perdure.engine.spi.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Nodes decide wrongly what a schedule does that is due. */
final class ChangedDecisions extends ForwardingScheduleStore {

  /** A mistake in a decision. */
  @FunctionalInterface
  interface WrongDecision {
    FiringDecision decide(ScheduleStore store, FiringDecider right, DueSchedule due, Instant now);
  }

  private final WrongDecision wrong;

  ChangedDecisions(ScheduleStore inner, WrongDecision wrong) {
    super(inner);
    this.wrong = wrong;
  }

  @Override
  public FiringRound fireDue(int limit, FiringDecider decider) {
    return inner.fireDue(limit, (due, now) -> wrong.decide(inner, decider, due, now));
  }

  /** The next instant of an interval is counted from now. */
  static FiringDecision nextFromNow(
      ScheduleStore store, FiringDecider right, DueSchedule due, Instant now) {
    FiringDecision decision = right.decide(due, now);
    Instant planned = due.schedule().nextAt();
    if (planned == null || planned.isAfter(now) || trigger(due.schedule()).has("zone")) {
      return decision;
    }
    Duration every = Duration.between(planned, due.schedule().times().next(planned));
    return withNext(decision, now.plus(every));
  }

  /** Times that the clock skips are not made up for. */
  static FiringDecision gapSkipped(
      ScheduleStore store, FiringDecider right, DueSchedule due, Instant now) {
    FiringDecision decision = right.decide(due, now);
    Instant next = decision.nextAt();
    ObjectNode trigger = trigger(due.schedule());
    if (next == null || !trigger.has("zone")) {
      return decision;
    }
    ZoneRules rules = ZoneId.of(trigger.get("zone").asString()).getRules();
    boolean gap =
        rules.getOffset(next).getTotalSeconds()
            > rules.getOffset(next.minusSeconds(1)).getTotalSeconds();
    return gap ? withNext(decision, due.schedule().times().next(next)) : decision;
  }

  /** A task that waits for its retry keeps the schedule busy. */
  static FiringDecision retriesCount(
      ScheduleStore store, FiringDecider right, DueSchedule due, Instant now) {
    boolean busy = !store.liveTasks(due.schedule().id(), 1).isEmpty();
    return right.decide(new DueSchedule(due.schedule(), busy, due.oldestQueued()), now);
  }

  /** Firings that are skipped or missed leave no trace. */
  static FiringDecision notNoted(
      ScheduleStore store, FiringDecider right, DueSchedule due, Instant now) {
    FiringDecision decision = right.decide(due, now);
    return new FiringDecision(
        decision.firings().stream()
            .filter(firing -> !List.of(Outcome.SKIPPED, Outcome.MISSED).contains(firing.outcome()))
            .toList(),
        decision.submissions(),
        decision.nextAt(),
        decision.lookAt(),
        decision.queued());
  }

  private static ObjectNode trigger(Schedule schedule) {
    return TriggerJson.write(schedule.trigger());
  }

  private static FiringDecision withNext(FiringDecision decision, @Nullable Instant next) {
    return new FiringDecision(
        decision.firings(), decision.submissions(), next, next, decision.queued());
  }
}

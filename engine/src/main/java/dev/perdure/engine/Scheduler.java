// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.ScheduleStore.FiringDecider;
import dev.perdure.engine.spi.ScheduleStore.FiringDecision;
import dev.perdure.engine.spi.ScheduleStore.FiringRound;
import dev.perdure.engine.spi.TaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fires schedules that are due. */
final class Scheduler {

  private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);
  private static final int MAX_BATCH_SIZE = 1_000;

  private final TaskStore store;
  private final ScheduleFirer firer;
  private final EngineListener listener;
  private final List<Declaration> declarations = new ArrayList<>();
  private volatile Runnable onFired = () -> {};

  Scheduler(TaskStore store, IdGenerator ids, EngineListener listener) {
    this.store = store;
    this.listener = listener;
    this.firer = new ScheduleFirer(ids);
  }

  /** A schedule that the application wants to exist. */
  private record Declaration(String name, Trigger trigger, Batch batch, ScheduleOptions options) {}

  synchronized void declare(
      EngineSchedules schedules,
      String name,
      Trigger trigger,
      Batch batch,
      ScheduleOptions options) {
    schedules.requireValid(name, trigger, batch, options);
    if (declarations.stream().anyMatch(other -> other.name().equals(name))) {
      throw new IllegalArgumentException("name: '" + name + "' is already declared");
    }
    declarations.add(new Declaration(name, trigger, batch, options));
  }

  /** Stores the declared schedules. What another node changes meanwhile is tried again later. */
  synchronized void storeDeclared(EngineSchedules schedules) {
    for (Declaration next : List.copyOf(declarations)) {
      try {
        schedules.declare(next.name(), next.trigger(), next.batch(), next.options());
        declarations.remove(next);
      } catch (IllegalStateException changed) {
        LOG.debug("schedule '{}' will be declared again", next.name(), changed);
      }
    }
  }

  /** Calls back when tasks have been submitted. */
  void onFired(Runnable value) {
    onFired = value;
  }

  /** Fires one batch of schedules; returns how many it looked at. */
  int runOnce() {
    Map<UUID, FiringDecision> decided = new HashMap<>();
    FiringRound round =
        store.schedules().fireDue(MAX_BATCH_SIZE, remembering(firer::decide, decided));
    round.problems().forEach(problem -> decided.remove(problem.schedule()));
    if (!round.problems().isEmpty()) {
      listener.onFiringFailed(round.problems());
    }
    if (round.schedules() > round.problems().size()) {
      listener.onSchedulesChanged();
      Map<String, Integer> submitted = tasksByKind(decided.values());
      if (!submitted.isEmpty()) {
        listener.onSubmitted(submitted);
      }
      onFired.run();
    }
    return round.schedules();
  }

  /** Fires one schedule by hand; empty if there is none. */
  static Optional<List<Firing>> fireNow(
      ScheduleStore schedules, UUID id, IdGenerator ids, EngineListener listener) {
    Map<UUID, FiringDecision> decided = new HashMap<>();
    Optional<List<Firing>> fired =
        schedules.fire(id, remembering(new ScheduleFirer(ids)::fireNow, decided));
    fired.ifPresent(
        firings -> {
          listener.onSchedulesChanged();
          if (firings.getFirst().batch() != null) {
            listener.onSubmitted(tasksByKind(decided.values()));
          }
        });
    return fired;
  }

  /** Remembers the last decision about each schedule: the store decides again after an error. */
  private static FiringDecider remembering(
      FiringDecider decider, Map<UUID, FiringDecision> decided) {
    return (due, now) -> {
      FiringDecision decision = decider.decide(due, now);
      decided.put(due.schedule().id(), decision);
      return decision;
    };
  }

  /** How many tasks of each kind were submitted; those that had a live dedupe key count too. */
  private static Map<String, Integer> tasksByKind(Collection<FiringDecision> decided) {
    Map<String, Integer> byKind = new HashMap<>();
    decided.stream()
        .flatMap(decision -> decision.submissions().stream())
        .flatMap(submission -> submission.tasks().stream())
        .forEach(task -> byKind.merge(task.definition().kind(), 1, Integer::sum));
    return byKind;
  }

  /** How long until the next schedule is due, at most this long. */
  Duration untilNext(Duration most) {
    return store.schedules().untilNext().filter(next -> next.compareTo(most) < 0).orElse(most);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.simulation.bug.PlantedBug;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import dev.perdure.testing.internal.GraphRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The state that all parts of one run share. */
final class World {

  final SimulationRandom random;
  final Violations violations = new Violations();
  final EventScheduler scheduler;
  final Trace trace;
  final FaultPlan faults;
  final InMemoryStore database;
  final PlantedBug bug;
  final GraphRules rules;
  final InvariantChecker checker;
  final Executions executions;
  final NodeChecker nodeChecker;
  final GraphChecker graphs;
  final BatchChecker batches;
  final LimitChecker limits;
  final KindLimitChecker kindLimits;
  final DedupeChecker dedupe;
  final LimitGenerator limitGenerator;

  final ScheduleGenerator scheduleGenerator;
  final ScheduleChecker schedules;

  /** In half of the runs, because their tasks take time. */
  final boolean hasSchedules;

  /** How often nodes look for schedules that are due; in some runs too seldom. */
  final Duration firesEvery;

  /** In half of the runs, so that no limit relies on it. */
  final boolean sweepsLimits;

  World(long seed, PlantedBug bug, int maxTraceLines) {
    this.random = new SimulationRandom(seed);
    this.bug = bug;
    String zone = ScheduleGenerator.zone(random);
    scheduler =
        new EventScheduler(violations, ScheduleGenerator.start(random, zone, FakeClock.START));
    scheduleGenerator = new ScheduleGenerator(this, zone);
    trace = new Trace(scheduler.clock(), maxTraceLines);
    faults = FaultPlan.of(seed, random);
    rules = bug.graphRules();
    limits = new LimitChecker(this);
    kindLimits = new KindLimitChecker(this);
    database =
        new InMemoryStore(
            scheduler.clock(),
            random.pick(List.of(1, 1, 8)),
            new LockedRows(rules, random, faults),
            new LockedLimits(bug.limitAccounting(), random, faults, limits));
    executions = new Executions(this);
    nodeChecker = new NodeChecker(this);
    checker = new InvariantChecker(this);
    graphs = new GraphChecker(this);
    batches = new BatchChecker(this);
    dedupe = new DedupeChecker(this);
    limitGenerator = new LimitGenerator(random);
    sweepsLimits = random.oneIn(2);
    schedules = new ScheduleChecker(this);
    hasSchedules = random.oneIn(2);
    firesEvery = random.oneIn(3) ? random.seconds(50, 120) : random.millis(200, 2000);
  }

  Instant now() {
    return scheduler.now();
  }
}

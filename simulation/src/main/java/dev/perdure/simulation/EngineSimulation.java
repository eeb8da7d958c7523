// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.simulation.bug.PlantedBug;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One run: first with faults, then without, until every task that can run has ended. */
final class EngineSimulation {

  static final int TRACE_TAIL_LINES = 50;

  private static final Duration COMPLETION_TIMEOUT = Duration.ofMinutes(20);

  /** Faults that are under way end by themselves within this time. */
  private static final Duration LAST_FAULT = Duration.ofSeconds(60);

  /** When every node has recovered from the last fault. */
  private static final Duration RECOVERY = Duration.ofSeconds(90);

  /** How long everything has ended before a run does, so that the last events are handled. */
  private static final Duration QUIET = Duration.ofSeconds(10);

  /** When operators cancel tasks with dedupe keys that keep others from running. */
  private static final Duration KEYS_FREED_AFTER = Duration.ofMinutes(3);

  private static final int MAX_STEPS = 3_000_000;
  private static final int CHECK_EVERY = 500;

  /**
   * The result of a run.
   *
   * @param hash the hash of the whole trace
   * @param violation the first broken invariant, or null
   * @param trace the last lines of the trace, or all if requested
   */
  record SimulationResult(
      long seed,
      String hash,
      long steps,
      Duration simulatedTime,
      int tasks,
      Violations.@Nullable Violation violation,
      Set<CoveragePoint> coverage,
      List<String> trace) {}

  private final long seed;
  private final World world;
  private final Cluster cluster;
  private final Clients clients;
  private final ScheduleClients scheduleClients;
  private long steps;

  private EngineSimulation(long seed, PlantedBug bug, int maxTraceLines) {
    this.seed = seed;
    world = new World(seed, bug, maxTraceLines);
    cluster = new Cluster(world);
    clients = new Clients(world, cluster);
    scheduleClients = new ScheduleClients(world, cluster);
  }

  static SimulationResult run(long seed, PlantedBug bug, int maxTraceLines) {
    return new EngineSimulation(seed, bug, maxTraceLines).run();
  }

  private SimulationResult run() {
    Instant start = world.now();
    world.trace.line("", "seed " + seed + ", faults " + world.faults);
    cluster.boot();
    cluster.scheduleNextFault();
    clients.scheduleNext();
    if (world.hasSchedules) {
      scheduleClients.scheduleNext();
    }
    Instant faultsEndAt = start.plus(world.random.seconds(60, 200));
    while (hasNoViolation() && world.now().isBefore(faultsEndAt)) {
      step();
    }
    cluster.endFaults();
    clients.resumeAll();
    scheduleClients.endAll();
    world.scheduler.after(KEYS_FREED_AFTER, clients::freeKeys);
    new LimitWatcher(world, cluster).start();
    Instant recoveredAt = world.now().plus(RECOVERY).plus(world.firesEvery);
    Instant limit = world.now().plus(COMPLETION_TIMEOUT);
    Instant quietSince = world.now().plus(LAST_FAULT);
    while (hasNoViolation() && world.now().isBefore(quietSince.plus(QUIET))) {
      step();
      if (steps % CHECK_EVERY == 0 && world.now().isAfter(recoveredAt)) {
        world.schedules.checkInTime();
      }
      if (!world.checker.isFinished() && world.now().isAfter(quietSince)) {
        quietSince = world.now();
      }
      requireInTime(limit);
    }
    if (world.violations.first() == null) {
      world.checker.checkFinalState();
    }
    cluster.shutDown();
    return new SimulationResult(
        seed,
        world.trace.hash(),
        steps,
        Duration.between(start, world.now()),
        world.checker.tasks().size(),
        world.violations.first(),
        world.trace.coverage(),
        world.trace.lastLines());
  }

  private boolean hasNoViolation() {
    return world.violations.first() == null;
  }

  private void step() {
    world.scheduler.step();
    steps++;
    if (steps % CHECK_EVERY == 0) {
      world.checker.checkRows();
    }
    world.violations.require(
        steps < MAX_STEPS,
        Invariant.EVENTUAL_COMPLETION,
        "not finished after " + MAX_STEPS + " steps");
  }

  private void requireInTime(Instant limit) {
    if (world.now().isAfter(limit)) {
      world.violations.report(
          Invariant.EVENTUAL_COMPLETION,
          "unfinished %s after the faults ended: %s, batches %s"
              .formatted(
                  COMPLETION_TIMEOUT,
                  world.checker.unfinished(),
                  world.checker.unfinishedBatches()));
    }
  }
}

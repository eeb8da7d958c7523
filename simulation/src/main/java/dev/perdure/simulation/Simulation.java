// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.simulation.bug.Bug;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One run: a while of trouble, then a while without, in which everything must come to its end. */
final class Simulation {

  static final int LAST_LINES = 50;

  private static final Duration EVERYTHING_ENDS_WITHIN = Duration.ofMinutes(20);
  private static final int MOST_STEPS = 3_000_000;
  private static final int LOOK_EVERY = 500;

  /**
   * What came of a run.
   *
   * @param hash of the whole trace
   * @param finding the first broken promise, or null
   * @param trace the last lines, or all when they were asked for
   */
  record Report(
      long seed,
      String hash,
      long steps,
      Duration simulated,
      int tasks,
      Findings.@Nullable Finding finding,
      Set<Situation> seen,
      List<String> trace) {}

  private final long seed;
  private final World world;
  private final Cluster cluster;
  private final Clients clients;
  private long steps;

  private Simulation(long seed, Bug bug, int linesKept) {
    this.seed = seed;
    world = new World(seed, bug, linesKept);
    cluster = new Cluster(world);
    clients = new Clients(world, cluster);
  }

  static Report run(long seed, Bug bug, int linesKept) {
    return new Simulation(seed, bug, linesKept).run();
  }

  private Report run() {
    Instant start = world.now();
    world.trace.line("", "seed " + seed + ", faults " + world.weather);
    cluster.boot();
    cluster.beginTrouble();
    clients.begin();
    Instant healing = start.plus(world.chance.seconds(60, 200));
    while (goesOn() && world.now().isBefore(healing)) {
      step();
    }
    cluster.heal();
    clients.resumeAll();
    Instant limit = world.now().plus(EVERYTHING_ENDS_WITHIN);
    while (goesOn() && !world.ledger.unfinished().isEmpty()) {
      step();
      requireInTime(limit);
    }
    if (world.findings.first() == null) {
      world.ledger.close();
    }
    cluster.end();
    return new Report(
        seed,
        world.trace.hash(),
        steps,
        Duration.between(start, world.now()),
        world.ledger.tasks().size(),
        world.findings.first(),
        world.trace.seen(),
        world.trace.last());
  }

  private boolean goesOn() {
    return world.findings.first() == null;
  }

  private void step() {
    world.scheduler.step();
    steps++;
    if (steps % LOOK_EVERY == 0) {
      world.ledger.look();
    }
    world.findings.require(
        steps < MOST_STEPS, Invariant.EVERYTHING_ENDS, "not over after " + MOST_STEPS + " steps");
  }

  private void requireInTime(Instant limit) {
    if (world.now().isAfter(limit)) {
      world.findings.report(
          Invariant.EVERYTHING_ENDS,
          "%s after the faults ended: %s"
              .formatted(
                  EVERYTHING_ENDS_WITHIN,
                  world.ledger.unfinished().stream().map(TaskHistory::last).toList()));
    }
  }
}

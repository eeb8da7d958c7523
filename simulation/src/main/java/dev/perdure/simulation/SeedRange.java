// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.simulation.EngineSimulation.SimulationResult;
import dev.perdure.simulation.bug.PlantedBug;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;

/** A range of seeds, and what came of it. */
final class SeedRange {

  private final List<SimulationResult> failures = new ArrayList<>();
  private final Map<CoveragePoint, Integer> coverage = new EnumMap<>(CoveragePoint.class);
  private long runs;
  private long steps;
  private long tasks;
  private Duration simulated = Duration.ZERO;

  private SeedRange() {}

  /** Runs all seeds from the first to the last. */
  static SeedRange run(long from, long to, PlantedBug plantedBug) {
    SeedRange seedRange = new SeedRange();
    for (long seed = from; seed <= to; seed++) {
      seedRange.add(run(seed, plantedBug, EngineSimulation.TRACE_TAIL_LINES));
    }
    return seedRange;
  }

  /** Runs one; on a virtual thread, which hands over to a fiber more quickly than others. */
  static SimulationResult run(long seed, PlantedBug plantedBug, int linesKept) {
    FutureTask<SimulationResult> run =
        new FutureTask<>(() -> EngineSimulation.run(seed, plantedBug, linesKept));
    Thread.ofVirtual().start(run);
    try {
      return run.get();
    } catch (InterruptedException | ExecutionException problem) {
      throw new IllegalStateException("seed " + seed + " broke the simulation itself", problem);
    }
  }

  private void add(SimulationResult simulationResult) {
    runs++;
    steps += simulationResult.steps();
    tasks += simulationResult.tasks();
    simulated = simulated.plus(simulationResult.simulatedTime());
    simulationResult
        .coverage()
        .forEach(coveragePoint -> coverage.merge(coveragePoint, 1, Integer::sum));
    if (simulationResult.violation() != null) {
      failures.add(simulationResult);
    }
  }

  List<SimulationResult> failures() {
    return List.copyOf(failures);
  }

  /** What no seed has met. */
  Set<CoveragePoint> uncovered() {
    Set<CoveragePoint> all = EnumSet.allOf(CoveragePoint.class);
    all.removeAll(coverage.keySet());
    return all;
  }

  String summary() {
    return "%d seeds, %d failed; %d tasks, %d steps, %d h simulated; unseen: %s; seen: %s"
        .formatted(runs, failures.size(), tasks, steps, simulated.toHours(), uncovered(), coverage);
  }

  /** A row of the table of planted bugs. */
  String row(String bug) {
    if (failures.isEmpty()) {
      return "| %s | not found | – | 0 |".formatted(bug);
    }
    String by =
        failures.stream()
            .map(SeedRange::invariant)
            .collect(Collectors.groupingBy(name -> name, Collectors.counting()))
            .entrySet()
            .stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .map(entry -> entry.getKey() + " " + entry.getValue() + " ×")
            .collect(Collectors.joining(", "));
    return "| %s | %s | %d | %d |".formatted(bug, by, failures.getFirst().seed(), failures.size());
  }

  private static String invariant(SimulationResult simulationResult) {
    return simulationResult.violation() == null
        ? ""
        : simulationResult.violation().invariant().name();
  }

  static String summary(SimulationResult simulationResult) {
    return "seed %d: %d tasks, %d steps, %s simulated, trace %s: %s"
        .formatted(
            simulationResult.seed(),
            simulationResult.tasks(),
            simulationResult.steps(),
            simulationResult.simulatedTime(),
            simulationResult.hash().substring(0, 16),
            simulationResult.violation() == null ? "nothing found" : finding(simulationResult));
  }

  private static String finding(SimulationResult simulationResult) {
    Violations.Violation violation = simulationResult.violation();
    return violation == null
        ? ""
        : violation.invariant()
            + " ("
            + violation.invariant().description()
            + "): "
            + violation.what();
  }

  /** Everything one needs to look into a failure. */
  static String explain(SimulationResult simulationResult, PlantedBug plantedBug) {
    return String.join("\n", simulationResult.trace())
        + "\n"
        + summary(simulationResult)
        + "\nreplay: mvn -pl simulation -am test -Dtest=EngineSimulationTest"
        + " -Dsurefire.failIfNoSpecifiedTests=false -Dsimulation.seed="
        + simulationResult.seed()
        + (plantedBug == PlantedBug.NONE ? "" : " (with the planted bug " + plantedBug + ")");
  }
}

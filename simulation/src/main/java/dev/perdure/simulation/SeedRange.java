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

/** Runs a range of seeds and collects the results. */
final class SeedRange {

  private final List<SimulationResult> failures = new ArrayList<>();
  private final Map<CoveragePoint, Integer> coverage = new EnumMap<>(CoveragePoint.class);
  private long runs;
  private long steps;
  private long tasks;
  private Duration simulated = Duration.ZERO;

  private SeedRange() {}

  /** Runs the seeds {@code from} to {@code to}, both included. */
  static SeedRange run(long from, long to, PlantedBug bug) {
    SeedRange range = new SeedRange();
    for (long seed = from; seed <= to; seed++) {
      range.add(run(seed, bug, EngineSimulation.TRACE_TAIL_LINES));
    }
    return range;
  }

  /** Runs one seed on a virtual thread, which switches to fibers faster than a platform thread. */
  static SimulationResult run(long seed, PlantedBug bug, int maxTraceLines) {
    FutureTask<SimulationResult> run =
        new FutureTask<>(() -> EngineSimulation.run(seed, bug, maxTraceLines));
    Thread.ofVirtual().start(run);
    try {
      return run.get();
    } catch (InterruptedException | ExecutionException failure) {
      throw new IllegalStateException("the simulation itself failed with seed " + seed, failure);
    }
  }

  private void add(SimulationResult result) {
    runs++;
    steps += result.steps();
    tasks += result.tasks();
    simulated = simulated.plus(result.simulatedTime());
    result.coverage().forEach(point -> coverage.merge(point, 1, Integer::sum));
    if (result.violation() != null) {
      failures.add(result);
    }
  }

  List<SimulationResult> failures() {
    return List.copyOf(failures);
  }

  /** Returns the coverage points that no seed has reached. */
  Set<CoveragePoint> uncovered() {
    Set<CoveragePoint> all = EnumSet.allOf(CoveragePoint.class);
    all.removeAll(coverage.keySet());
    return all;
  }

  String summary() {
    return "%d seeds, %d failed; %d tasks, %d steps, %d h simulated; not covered: %s; covered: %s"
        .formatted(runs, failures.size(), tasks, steps, simulated.toHours(), uncovered(), coverage);
  }

  /** Returns a row of the table of planted bugs. */
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

  private static String invariant(SimulationResult result) {
    return result.violation() == null ? "" : result.violation().invariant().name();
  }

  static String summary(SimulationResult result) {
    return "seed %d: %d tasks, %d steps, %s simulated, trace %s: %s"
        .formatted(
            result.seed(),
            result.tasks(),
            result.steps(),
            result.simulatedTime(),
            result.hash().substring(0, 16),
            result.violation() == null ? "no violation" : finding(result));
  }

  private static String finding(SimulationResult result) {
    Violations.Violation violation = result.violation();
    return violation == null
        ? ""
        : violation.invariant()
            + " ("
            + violation.invariant().description()
            + "): "
            + violation.what();
  }

  /** Returns the trace, the violation and the command that replays the seed. */
  static String explain(SimulationResult result, PlantedBug bug) {
    return String.join("\n", result.trace())
        + "\n"
        + summary(result)
        + "\nreplay: mvn -pl simulation -am test -Dtest=EngineSimulationTest"
        + " -Dsurefire.failIfNoSpecifiedTests=false -Dsimulation.seed="
        + result.seed()
        + (bug == PlantedBug.NONE ? "" : " (with the planted bug " + bug + ")");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.simulation.Simulation.Report;
import dev.perdure.simulation.bug.Bug;
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
final class Seeds {

  private final List<Report> failures = new ArrayList<>();
  private final Map<Situation, Integer> seen = new EnumMap<>(Situation.class);
  private long runs;
  private long steps;
  private long tasks;
  private Duration simulated = Duration.ZERO;

  private Seeds() {}

  /** Runs all seeds from the first to the last. */
  static Seeds run(long from, long to, Bug bug) {
    Seeds seeds = new Seeds();
    for (long seed = from; seed <= to; seed++) {
      seeds.add(run(seed, bug, Simulation.LAST_LINES));
    }
    return seeds;
  }

  /** Runs one; on a virtual thread, which hands over to a fiber more quickly than others. */
  static Report run(long seed, Bug bug, int linesKept) {
    FutureTask<Report> run = new FutureTask<>(() -> Simulation.run(seed, bug, linesKept));
    Thread.ofVirtual().start(run);
    try {
      return run.get();
    } catch (InterruptedException | ExecutionException problem) {
      throw new IllegalStateException("seed " + seed + " broke the simulation itself", problem);
    }
  }

  private void add(Report report) {
    runs++;
    steps += report.steps();
    tasks += report.tasks();
    simulated = simulated.plus(report.simulated());
    report.seen().forEach(situation -> seen.merge(situation, 1, Integer::sum));
    if (report.finding() != null) {
      failures.add(report);
    }
  }

  List<Report> failures() {
    return List.copyOf(failures);
  }

  /** What no seed has met. */
  Set<Situation> unseen() {
    Set<Situation> all = EnumSet.allOf(Situation.class);
    all.removeAll(seen.keySet());
    return all;
  }

  String summary() {
    return "%d seeds, %d failed; %d tasks, %d steps, %d h simulated; unseen: %s; seen: %s"
        .formatted(runs, failures.size(), tasks, steps, simulated.toHours(), unseen(), seen);
  }

  /** A row of the table of planted bugs. */
  String row(String bug) {
    if (failures.isEmpty()) {
      return "| %s | not found | – | 0 |".formatted(bug);
    }
    String by =
        failures.stream()
            .map(Seeds::invariant)
            .collect(Collectors.groupingBy(name -> name, Collectors.counting()))
            .entrySet()
            .stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .map(entry -> entry.getKey() + " " + entry.getValue() + " ×")
            .collect(Collectors.joining(", "));
    return "| %s | %s | %d | %d |".formatted(bug, by, failures.getFirst().seed(), failures.size());
  }

  private static String invariant(Report report) {
    return report.finding() == null ? "" : report.finding().invariant().name();
  }

  static String summary(Report report) {
    return "seed %d: %d tasks, %d steps, %s simulated, trace %s: %s"
        .formatted(
            report.seed(),
            report.tasks(),
            report.steps(),
            report.simulated(),
            report.hash().substring(0, 16),
            report.finding() == null ? "nothing found" : finding(report));
  }

  private static String finding(Report report) {
    Findings.Finding finding = report.finding();
    return finding == null
        ? ""
        : finding.invariant() + " (" + finding.invariant().promise() + "): " + finding.what();
  }

  /** Everything one needs to look into a failure. */
  static String explain(Report report, Bug bug) {
    return String.join("\n", report.trace())
        + "\n"
        + summary(report)
        + "\nreplay: mvn -pl simulation -am test -Dtest=SimulationTest"
        + " -Dsurefire.failIfNoSpecifiedTests=false -Dsimulation.seed="
        + report.seed()
        + (bug == Bug.NONE ? "" : " (with the planted bug " + bug + ")");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.chart;

import dev.perdure.policy.simulate.OutageResult;
import dev.perdure.policy.simulate.OutageSimulation;
import dev.perdure.policy.simulate.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.function.ToIntFunction;

/** The load of one simulated run, second by second. */
public record LoadCurve(String name, Scenario scenario, OutageResult run) {

  /** The three runs of a report. */
  public static List<LoadCurve> of(OutageSimulation.Report report) {
    Scenario scenario = report.scenario();
    return List.of(
        new LoadCurve("no retries", scenario, report.withoutRetries()),
        new LoadCurve("this policy", scenario, report.withPolicy()),
        new LoadCurve(
            "%d %% budget".formatted(Math.round(scenario.budget() * 100)),
            scenario,
            report.withBudget()));
  }

  /** The highest load of all runs, or the capacity if that is higher. */
  public static int top(List<LoadCurve> curves) {
    return curves.stream()
        .mapToInt(curve -> Math.max(curve.peak(), curve.scenario.capacity()))
        .max()
        .orElse(1);
  }

  /** The highest number of attempts in one second. */
  public int peak() {
    return run.peak();
  }

  /**
   * One number per second. When there are more seconds than places, the highest of those that share
   * a place, so that a short spike stays visible.
   */
  public int[] peaks(ToIntFunction<OutageResult.Second> number, int maxPlaces) {
    int seconds = run.seconds().size();
    int[] peaks = new int[Math.min(maxPlaces, seconds)];
    for (int i = 0; i < seconds; i++) {
      int place = (int) ((long) i * peaks.length / seconds);
      peaks[place] = Math.max(peaks[place], number.applyAsInt(run.seconds().get(i)));
    }
    return peaks;
  }

  /** The peak as a multiple of the normal load. */
  public double peakLoad() {
    return run.peakLoad(scenario);
  }

  /** The length of the whole run. */
  public Duration length() {
    return Duration.ofSeconds(run.seconds().size());
  }

  /** When the outage starts. */
  public Duration outageStart() {
    return scenario.outageStart();
  }

  /** When the outage ends. */
  public Duration outageEnd() {
    return scenario.outageEnd();
  }
}

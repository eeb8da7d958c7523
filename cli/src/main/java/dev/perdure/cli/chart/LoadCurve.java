// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.chart;

import dev.perdure.policy.simulate.OutageResult;
import dev.perdure.policy.simulate.OutageSimulation;
import dev.perdure.policy.simulate.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.function.ToIntFunction;

/** One run of a simulation as it went, second by second. */
public record LoadCurve(String name, Scenario scenario, OutageResult run) {

  /** The three runs of a report, by name. */
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

  /** The most that any of these runs sent in a second, or the capacity if that is more. */
  public static int top(List<LoadCurve> loadCurves) {
    return loadCurves.stream()
        .mapToInt(loadCurve -> Math.max(loadCurve.peak(), loadCurve.scenario.capacity()))
        .max()
        .orElse(1);
  }

  /** The most attempts that were sent in one second. */
  public int peak() {
    return run.peak();
  }

  /**
   * A number of each second; where there are more seconds than places, the highest of those that
   * share a place: a short spike must not vanish.
   */
  public int[] peaks(ToIntFunction<OutageResult.Second> number, int mostPlaces) {
    int seconds = run.seconds().size();
    int[] peaks = new int[Math.min(mostPlaces, seconds)];
    for (int i = 0; i < seconds; i++) {
      int place = (int) ((long) i * peaks.length / seconds);
      peaks[place] = Math.max(peaks[place], number.applyAsInt(run.seconds().get(i)));
    }
    return peaks;
  }

  /** That peak as a multiple of the load without any trouble. */
  public double peakLoad() {
    return run.peakLoad(scenario);
  }

  /** All the time that was watched. */
  public Duration length() {
    return Duration.ofSeconds(run.seconds().size());
  }

  /** When the outage begins. */
  public Duration outageStart() {
    return scenario.outageStart();
  }

  /** When it is over. */
  public Duration outageEnd() {
    return scenario.outageEnd();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.chart;

import dev.perdure.policy.simulate.Run;
import dev.perdure.policy.simulate.Scenario;
import dev.perdure.policy.simulate.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.function.ToIntFunction;

/** One run of a simulation as it went, second by second. */
public record Course(String name, Scenario scenario, Run run) {

  /** The three runs of a report, by name. */
  public static List<Course> of(Simulation.Report report) {
    Scenario scenario = report.scenario();
    return List.of(
        new Course("no retries", scenario, report.withoutRetries()),
        new Course("this policy", scenario, report.withPolicy()),
        new Course(
            "%d %% budget".formatted(Math.round(scenario.budget() * 100)),
            scenario,
            report.withBudget()));
  }

  /** The most that any of these runs sent in a second, or the capacity if that is more. */
  public static int top(List<Course> courses) {
    return courses.stream()
        .mapToInt(course -> Math.max(course.peak(), course.scenario.capacity()))
        .max()
        .orElse(1);
  }

  /** The most attempts that were sent in one second. */
  public int peak() {
    return run.seconds().stream().mapToInt(Run.Second::sent).max().orElse(0);
  }

  /**
   * A number of each second; where there are more seconds than places, the highest of those that
   * share a place: a short spike must not vanish.
   */
  public int[] peaks(ToIntFunction<Run.Second> number, int mostPlaces) {
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
    return peak() / (scenario.load() * scenario.capacity());
  }

  /** All the time that was watched. */
  public Duration length() {
    return Duration.ofSeconds(run.seconds().size());
  }

  /** When the outage begins. */
  public Duration outageStart() {
    return Simulation.WARM_UP;
  }

  /** When it is over. */
  public Duration outageEnd() {
    return outageStart().plus(scenario.outage());
  }
}

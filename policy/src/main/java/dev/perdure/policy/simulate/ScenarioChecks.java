// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.Problem;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Refuses scenarios that make no sense or would take too long. */
final class ScenarioChecks {

  private static final int MOST_CLIENTS = 1_000_000;
  private static final int MOST_CAPACITY = 1_000_000;
  private static final double MOST_BUDGET = 10;
  private static final Duration LONGEST_OUTAGE = Duration.ofDays(1);
  private static final Duration LONGEST_HORIZON = Duration.ofDays(7);
  private static final Duration SHORTEST_HORIZON = Duration.ofSeconds(Drain.WINDOW);

  /** So many standard deviations above the mean there are practically never arrivals. */
  private static final double SURELY = 6;

  private final List<Problem> wrong = new ArrayList<>();

  private ScenarioChecks() {}

  /**
   * Goes on only when the scenario makes sense.
   *
   * @throws InvalidScenarioException with everything that is wrong with it
   */
  static void require(Scenario scenario) {
    ScenarioChecks checks = new ScenarioChecks();
    checks.between("clients", scenario.clients(), 1, MOST_CLIENTS);
    checks.between("capacity", scenario.capacity(), 1, MOST_CAPACITY);
    checks.add(
        "load",
        scenario.load() > 0 && scenario.load() < 1,
        "must be more than 0 and less than 1, not %s: a service with more to do than it can do"
                .formatted(scenario.load())
            + " falls behind without any outage");
    checks.between("outage", scenario.outage(), Duration.ofMillis(1), LONGEST_OUTAGE);
    checks.between("remaining", scenario.remaining(), 0, 1);
    checks.timeout(scenario);
    checks.between("horizon", scenario.horizon(), SHORTEST_HORIZON, LONGEST_HORIZON);
    checks.between("budget", scenario.budget(), 0, MOST_BUDGET);
    if (!checks.wrong.isEmpty()) {
      throw new InvalidScenarioException(checks.wrong);
    }
  }

  /** An attempt that takes longer than its timeout can never be answered. */
  private void timeout(Scenario scenario) {
    between("timeout", scenario.timeout(), Duration.ofMillis(1), LONGEST_OUTAGE);
    if (scenario.capacity() >= 1 && scenario.timeout().isPositive()) {
      long work = Times.work(scenario.capacity());
      add(
          "timeout",
          scenario.timeout().compareTo(Duration.ofNanos(work)) >= 0,
          "must be at least the %s that one request takes, not %s"
              .formatted(Duration.ofNanos(work), DurationText.format(scenario.timeout())));
    }
  }

  private void between(String field, double value, double least, double most) {
    add(
        field,
        value >= least && value <= most,
        "must be between %s and %s, not %s".formatted(plain(least), plain(most), value));
  }

  private void between(String field, int value, int least, int most) {
    add(
        field,
        value >= least && value <= most,
        "must be between %d and %d, not %d".formatted(least, most, value));
  }

  private void between(String field, Duration value, Duration least, Duration most) {
    add(
        field,
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        "must be between %s and %s, not %s"
            .formatted(
                DurationText.format(least), DurationText.format(most), DurationText.format(value)));
  }

  private static String plain(double whole) {
    return Long.toString((long) whole);
  }

  private void add(String field, boolean holds, String message) {
    if (!holds) {
      wrong.add(new Problem(field, message));
    }
  }

  /**
   * Goes on only when a run cannot come to more attempts than allowed.
   *
   * @throws InvalidScenarioException with the number it may come to
   */
  static void requireSize(RetryPolicy policy, Failure failure, Scenario scenario) {
    double attempts = mostAttempts(policy, failure, scenario);
    if (attempts > Simulation.MOST_ATTEMPTS) {
      throw new InvalidScenarioException(
          List.of(
              new Problem(
                  "",
                  "it may come to %.0f attempts, more than the %d allowed: choose a smaller capacity, a shorter horizon or outage, or fewer retries"
                      .formatted(attempts, Simulation.MOST_ATTEMPTS))));
    }
  }

  /**
   * The attempts when every one of them fails, with the earliest delays. A request that arrives in
   * the middle of the run has half of it left, so that is the most time they have on average.
   */
  static double mostAttempts(RetryPolicy policy, Failure failure, Scenario scenario) {
    Times times = Times.of(scenario);
    double mean = scenario.load() / times.work() * times.end();
    double requests = mean + SURELY * Math.sqrt(mean);
    double inHalfTheRun = 1 + times.end() / 2.0 / times.timeout();
    return requests * Math.min((double) attemptsPerRequest(policy, failure, times), inHalfTheRun);
  }

  private static long attemptsPerRequest(RetryPolicy policy, Failure failure, Times times) {
    int most = (int) Math.min(Timeline.MOST_ENTRIES, times.end() / times.timeout() + 1);
    Timeline timeline = Timeline.untilEnd(policy, List.of(failure), Instant.EPOCH, most);
    Duration end = Duration.ofNanos(times.end());
    long attempts = 1;
    for (Timeline.Entry entry : timeline.entries()) {
      Duration waited = Duration.ofNanos(times.timeout()).multipliedBy(attempts);
      if (entry instanceof Timeline.Retry retry
          && retry.total().earliest().plus(waited).compareTo(end) < 0) {
        attempts++;
      }
    }
    return attempts;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Refuses scenarios that make no sense or would take too long. */
final class ScenarioChecks {

  private static final int MAX_CLIENTS = 1_000_000;
  private static final int MAX_CAPACITY = 1_000_000;
  private static final double MAX_BUDGET = 10;
  private static final Duration MAX_OUTAGE = Duration.ofDays(1);
  private static final Duration MAX_HORIZON = Duration.ofDays(7);
  private static final Duration MIN_HORIZON = Duration.ofSeconds(RecoveryDetector.WINDOW);

  /** So many standard deviations above the mean there are practically never arrivals. */
  private static final double ARRIVAL_SIGMAS = 6;

  private final List<FieldError> errors = new ArrayList<>();

  private ScenarioChecks() {}

  /**
   * Goes on only when the scenario makes sense.
   *
   * @throws InvalidScenarioException with everything that is wrong with it
   */
  static void require(Scenario scenario) {
    ScenarioChecks checks = new ScenarioChecks();
    checks.between("clients", scenario.clients(), 1, MAX_CLIENTS);
    checks.between("capacity", scenario.capacity(), 1, MAX_CAPACITY);
    checks.add(
        "load",
        scenario.load() > 0 && scenario.load() < 1,
        "must be more than 0 and less than 1, not %s: a service with more to do than it can do"
                .formatted(scenario.load())
            + " falls behind without any outage");
    checks.between("outage", scenario.outage(), Duration.ofMillis(1), MAX_OUTAGE);
    checks.between("remaining", scenario.remaining(), 0, 1);
    checks.timeout(scenario);
    checks.between("horizon", scenario.horizon(), MIN_HORIZON, MAX_HORIZON);
    checks.between("budget", scenario.budget(), 0, MAX_BUDGET);
    if (!checks.errors.isEmpty()) {
      throw new InvalidScenarioException(checks.errors);
    }
  }

  /** An attempt that takes longer than its timeout can never be answered. */
  private void timeout(Scenario scenario) {
    between("timeout", scenario.timeout(), Duration.ofMillis(1), MAX_OUTAGE);
    if (scenario.capacity() >= 1 && scenario.timeout().isPositive()) {
      long work = ScenarioTimes.work(scenario.capacity());
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
      errors.add(new FieldError(field, message));
    }
  }

  /**
   * Goes on only when a run cannot come to more attempts than allowed.
   *
   * @throws InvalidScenarioException with the number it may come to
   */
  static void requireSize(RetryPolicy policy, Failure failure, Scenario scenario) {
    double attempts = maxAttempts(policy, failure, scenario);
    if (attempts > OutageSimulation.MAX_ATTEMPTS) {
      throw new InvalidScenarioException(
          List.of(
              new FieldError(
                  "",
                  "it may come to %.0f attempts, more than the %d allowed: choose a smaller capacity, a shorter horizon or outage, or fewer retries"
                      .formatted(attempts, OutageSimulation.MAX_ATTEMPTS))));
    }
  }

  /**
   * The attempts when every one of them fails, with the earliest delays. A request that arrives in
   * the middle of the run has half of it left, so that is the most time they have on average.
   */
  static double maxAttempts(RetryPolicy policy, Failure failure, Scenario scenario) {
    ScenarioTimes scenarioTimes = ScenarioTimes.of(scenario);
    double mean = scenario.load() / scenarioTimes.work() * scenarioTimes.end();
    double requests = mean + ARRIVAL_SIGMAS * Math.sqrt(mean);
    double inHalfTheRun = 1 + scenarioTimes.end() / 2.0 / scenarioTimes.timeout();
    return requests
        * Math.min((double) attemptsPerRequest(policy, failure, scenarioTimes), inHalfTheRun);
  }

  private static long attemptsPerRequest(
      RetryPolicy policy, Failure failure, ScenarioTimes scenarioTimes) {
    int most =
        (int) Math.min(Timeline.MAX_ENTRIES, scenarioTimes.end() / scenarioTimes.timeout() + 1);
    Timeline timeline = Timeline.untilEnd(policy, List.of(failure), Instant.EPOCH, most);
    Duration end = Duration.ofNanos(scenarioTimes.end());
    long attempts = 1;
    for (Timeline.Entry entry : timeline.entries()) {
      Duration waited = Duration.ofNanos(scenarioTimes.timeout()).multipliedBy(attempts);
      if (entry instanceof Timeline.Retry retry
          && retry.total().earliest().plus(waited).compareTo(end) < 0) {
        attempts++;
      }
    }
    return attempts;
  }
}

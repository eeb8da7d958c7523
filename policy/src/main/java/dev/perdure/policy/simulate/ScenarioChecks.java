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

/** Rejects scenarios that are invalid or would take too long. */
final class ScenarioChecks {

  private static final int MAX_CLIENTS = 1_000_000;
  private static final int MAX_CAPACITY = 1_000_000;
  private static final double MAX_BUDGET = 10;
  private static final Duration MAX_OUTAGE = Duration.ofDays(1);
  private static final Duration MAX_HORIZON = Duration.ofDays(7);
  private static final Duration MIN_HORIZON = Duration.ofSeconds(RecoveryDetector.WINDOW);

  /** The number of arrivals practically never exceeds the mean by this many standard deviations. */
  private static final double ARRIVAL_SIGMAS = 6;

  private final List<FieldError> errors = new ArrayList<>();

  private ScenarioChecks() {}

  /**
   * Throws if the scenario is invalid.
   *
   * @throws InvalidScenarioException with all errors
   */
  static void require(Scenario scenario) {
    ScenarioChecks checks = new ScenarioChecks();
    checks.between("clients", scenario.clients(), 1, MAX_CLIENTS);
    checks.between("capacity", scenario.capacity(), 1, MAX_CAPACITY);
    checks.add(
        "load",
        scenario.load() > 0 && scenario.load() < 1,
        "must be more than 0 and less than 1, not %s: at 1 or more, the service falls behind without an outage"
            .formatted(scenario.load()));
    checks.between("outage", scenario.outage(), Duration.ofMillis(1), MAX_OUTAGE);
    checks.between("remaining", scenario.remaining(), 0, 1);
    checks.timeout(scenario);
    checks.between("horizon", scenario.horizon(), MIN_HORIZON, MAX_HORIZON);
    checks.between("budget", scenario.budget(), 0, MAX_BUDGET);
    if (!checks.errors.isEmpty()) {
      throw new InvalidScenarioException(checks.errors);
    }
  }

  /** A timeout shorter than the processing time would fail every attempt. */
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

  private void between(String field, double value, double min, double max) {
    add(
        field,
        value >= min && value <= max,
        "must be between %s and %s, not %s".formatted(plain(min), plain(max), value));
  }

  private void between(String field, int value, int min, int max) {
    add(
        field,
        value >= min && value <= max,
        "must be between %d and %d, not %d".formatted(min, max, value));
  }

  private void between(String field, Duration value, Duration min, Duration max) {
    add(
        field,
        value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
        "must be between %s and %s, not %s"
            .formatted(
                DurationText.format(min), DurationText.format(max), DurationText.format(value)));
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
   * Throws if a run could exceed the maximum number of attempts.
   *
   * @throws InvalidScenarioException with the number of attempts
   */
  static void requireSize(RetryPolicy policy, Failure failure, Scenario scenario) {
    double attempts = maxAttempts(policy, failure, scenario);
    if (attempts > OutageSimulation.MAX_ATTEMPTS) {
      throw new InvalidScenarioException(
          List.of(
              new FieldError(
                  "",
                  "the run may need %.0f attempts, but at most %d are allowed: choose a smaller capacity, a shorter horizon or outage, or fewer retries"
                      .formatted(attempts, OutageSimulation.MAX_ATTEMPTS))));
    }
  }

  /**
   * Returns the number of attempts if all of them fail and every delay is the earliest possible. A
   * request arrives on average in the middle of the run, so it has at most half of the run left.
   */
  static double maxAttempts(RetryPolicy policy, Failure failure, Scenario scenario) {
    ScenarioTimes times = ScenarioTimes.of(scenario);
    double mean = scenario.load() / times.work() * times.end();
    double requests = mean + ARRIVAL_SIGMAS * Math.sqrt(mean);
    double inHalfTheRun = 1 + times.end() / 2.0 / times.timeout();
    return requests * Math.min((double) attemptsPerRequest(policy, failure, times), inHalfTheRun);
  }

  private static long attemptsPerRequest(RetryPolicy policy, Failure failure, ScenarioTimes times) {
    int maxEntries = (int) Math.min(Timeline.MAX_ENTRIES, times.end() / times.timeout() + 1);
    Timeline timeline = Timeline.untilEnd(policy, List.of(failure), Instant.EPOCH, maxEntries);
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

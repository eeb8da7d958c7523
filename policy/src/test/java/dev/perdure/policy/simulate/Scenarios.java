// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.time.Duration;

/** Writes scenarios for the tests, starting from the usual one. */
final class Scenarios {

  private Scenario scenario = Scenario.DEFAULT;

  private Scenarios() {}

  static Scenarios scenario() {
    return new Scenarios();
  }

  Scenarios clients(int value) {
    return with(value, scenario.capacity(), scenario.load());
  }

  Scenarios capacity(int value) {
    return with(scenario.clients(), value, scenario.load());
  }

  Scenarios load(double value) {
    return with(scenario.clients(), scenario.capacity(), value);
  }

  private Scenarios with(int clients, int capacity, double load) {
    scenario =
        new Scenario(
            clients,
            capacity,
            load,
            scenario.outage(),
            scenario.remaining(),
            scenario.timeout(),
            scenario.horizon(),
            scenario.budget(),
            scenario.seed());
    return this;
  }

  Scenarios outage(Duration value) {
    return with(value, scenario.remaining(), scenario.timeout(), scenario.horizon());
  }

  Scenarios remaining(double value) {
    return with(scenario.outage(), value, scenario.timeout(), scenario.horizon());
  }

  Scenarios timeout(Duration value) {
    return with(scenario.outage(), scenario.remaining(), value, scenario.horizon());
  }

  Scenarios horizon(Duration value) {
    return with(scenario.outage(), scenario.remaining(), scenario.timeout(), value);
  }

  private Scenarios with(Duration outage, double remaining, Duration timeout, Duration horizon) {
    scenario =
        new Scenario(
            scenario.clients(),
            scenario.capacity(),
            scenario.load(),
            outage,
            remaining,
            timeout,
            horizon,
            scenario.budget(),
            scenario.seed());
    return this;
  }

  Scenarios budget(double value) {
    return with(value, scenario.seed());
  }

  Scenarios seed(long value) {
    return with(scenario.budget(), value);
  }

  private Scenarios with(double budget, long seed) {
    scenario =
        new Scenario(
            scenario.clients(),
            scenario.capacity(),
            scenario.load(),
            scenario.outage(),
            scenario.remaining(),
            scenario.timeout(),
            scenario.horizon(),
            budget,
            seed);
    return this;
  }

  Scenario build() {
    return scenario;
  }
}

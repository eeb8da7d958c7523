// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.time.Duration;

/** Builds scenarios for tests, starting from the default. */
final class ScenarioBuilder {

  private Scenario scenario = Scenario.DEFAULT;

  private ScenarioBuilder() {}

  static ScenarioBuilder scenario() {
    return new ScenarioBuilder();
  }

  ScenarioBuilder clients(int value) {
    return with(value, scenario.capacity(), scenario.load());
  }

  ScenarioBuilder capacity(int value) {
    return with(scenario.clients(), value, scenario.load());
  }

  ScenarioBuilder load(double value) {
    return with(scenario.clients(), scenario.capacity(), value);
  }

  private ScenarioBuilder with(int clients, int capacity, double load) {
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

  ScenarioBuilder outage(Duration value) {
    return with(value, scenario.remaining(), scenario.timeout(), scenario.horizon());
  }

  ScenarioBuilder remaining(double value) {
    return with(scenario.outage(), value, scenario.timeout(), scenario.horizon());
  }

  ScenarioBuilder timeout(Duration value) {
    return with(scenario.outage(), scenario.remaining(), value, scenario.horizon());
  }

  ScenarioBuilder horizon(Duration value) {
    return with(scenario.outage(), scenario.remaining(), scenario.timeout(), value);
  }

  private ScenarioBuilder with(
      Duration outage, double remaining, Duration timeout, Duration horizon) {
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

  ScenarioBuilder budget(double value) {
    return with(value, scenario.seed());
  }

  ScenarioBuilder seed(long value) {
    return with(scenario.budget(), value);
  }

  private ScenarioBuilder with(double budget, long seed) {
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

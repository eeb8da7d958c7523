// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import static dev.perdure.policy.simulate.StabilityVerdict.METASTABLE;
import static dev.perdure.policy.simulate.StabilityVerdict.STABLE;
import static dev.perdure.policy.simulate.StabilityVerdict.VULNERABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.simulate.OutageResult;
import dev.perdure.policy.simulate.OutageSimulation;
import dev.perdure.policy.simulate.Scenario;
import dev.perdure.policy.simulate.StabilityVerdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationAdviceTest {

  private static OutageResult run(StabilityVerdict verdict, int attempts, int succeeded) {
    Duration drain = verdict == METASTABLE ? null : Duration.ofSeconds(8);
    return new OutageResult(
        List.of(new OutageResult.Second(1, 1, 1, 0)),
        1_000,
        attempts,
        succeeded,
        0,
        drain,
        verdict);
  }

  private static String advice(OutageResult without, OutageResult with, OutageResult budget) {
    return SimulationAdvice.of(
        new OutageSimulation.Report(Scenario.DEFAULT, without, with, budget));
  }

  private static final OutageResult NO_RETRIES = run(STABLE, 1_000, 800);

  @Test
  void says_how_many_requests_retries_save() {
    assertThat(advice(NO_RETRIES, run(STABLE, 1_250, 950), NO_RETRIES))
        .isEqualTo(
            "The service recovers, even from an outage 4 times as long, with 1.25 attempts per"
                + " request. Retries save 15 % of the requests.");
  }

  @Test
  void says_so_when_retries_do_not_help() {
    assertThat(advice(NO_RETRIES, run(STABLE, 1_250, 801), NO_RETRIES)).contains("save hardly");
    assertThat(advice(NO_RETRIES, run(STABLE, 1_250, 600), NO_RETRIES))
        .contains("But retries cost 20 % of the requests");
  }

  @Test
  void warns_about_a_longer_outage() {
    assertThat(advice(NO_RETRIES, run(VULNERABLE, 2_000, 700), run(STABLE, 1_100, 800)))
        .contains("after one of 40s retries would keep it down")
        .contains("A retry budget of 10 % keeps it stable and the backlog drains in 8s: use one.");
  }

  @Test
  void says_when_a_budget_is_not_enough() {
    assertThat(advice(NO_RETRIES, run(METASTABLE, 4_500, 0), run(METASTABLE, 1_100, 0)))
        .contains("each request costs 4.5 attempts")
        .contains("A retry budget of 10 % is not enough");
    assertThat(advice(NO_RETRIES, run(METASTABLE, 4_500, 0), run(VULNERABLE, 1_100, 0)))
        .contains("not for a longer one");
  }

  @Test
  void does_not_blame_retries_for_a_service_that_is_too_small() {
    assertThat(advice(run(METASTABLE, 1_000, 0), run(METASTABLE, 4_000, 0), NO_RETRIES))
        .contains("does not recover even without retries");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.TestCli.perdure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SimulateCommandTest {

  private static final String EAGER =
      """
      {"max_retries": 10, "backoff": {"type": "exponential", "initial": "100ms"},
       "max_delay": "2s", "jitter": "full"}""";

  @Test
  void exits_with_1_when_retries_keep_the_service_down() {
    CliResult result = perdure("simulate", EAGER, "--capacity", "100", "--load", "70%");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out())
        .contains("send 70 requests per second to a service that can handle 100.")
        .containsPattern("verdict +stable +metastable +stable")
        .contains("amplification", "peak load", "answered")
        .containsPattern("drained after +\\S+ +never +\\S+")
        .contains("outage of 10s")
        .contains("retries alone keep the service down")
        .contains("A retry budget of 10 % keeps it stable");
  }

  @Test
  void exits_with_0_when_the_service_recovers() {
    CliResult result =
        perdure(
            "simulate", "http", "--capacity", "100", "--load", "0.1", "--outage", "2s", "--json");

    assertThat(result.code()).isZero();
    assertThat(result.json().getFirst().get("with_policy").get("verdict").asString())
        .isEqualTo("stable");
  }

  @Test
  void prints_every_number_and_second_as_json() {
    CliResult result =
        perdure(
            "simulate",
            EAGER,
            "--clients",
            "50",
            "--capacity",
            "100",
            "--load",
            "60%",
            "--outage",
            "4s",
            "--remaining",
            "0.25",
            "--timeout",
            "500ms",
            "--horizon",
            "30s",
            "--budget",
            "5%",
            "--seed",
            "7",
            "--json");
    JsonNode report = result.json().getFirst();

    JsonNode scenario = report.get("scenario");
    assertThat(scenario.toString())
        .isEqualTo(
            "{\"clients\":50,\"capacity\":100,\"load\":0.6,\"outage_ms\":4000,\"remaining\":0.25,"
                + "\"timeout_ms\":500,\"horizon_ms\":30000,\"budget\":0.05,\"seed\":7}");
    JsonNode run = report.get("with_budget");
    assertThat(run.get("sent").size()).isEqualTo(39);
    assertThat(run.get("answered").size()).isEqualTo(39);
    assertThat(run.get("amplification").asDouble()).isBetween(1.0, 1.06);
    assertThat(report.get("without_retries").get("amplification").asDouble()).isEqualTo(1.0);
    assertThat(report.get("outage_starts_ms").asInt()).isEqualTo(5_000);
    assertThat(report.get("outage_ends_ms").asInt()).isEqualTo(9_000);
  }

  @Test
  void repeats_itself_for_the_same_seed_only() {
    String[] first = {"simulate", "http", "--capacity", "50", "--json", "--seed", "1"};
    String[] other = {"simulate", "http", "--capacity", "50", "--json", "--seed", "2"};

    assertThat(perdure(first).out()).isEqualTo(perdure(first).out());
    assertThat(perdure(first).json().getFirst().get("with_policy"))
        .isNotEqualTo(perdure(other).json().getFirst().get("with_policy"));
  }

  @Test
  void uses_the_given_failure() {
    CliResult result =
        perdure(
            "simulate",
            "http",
            "--capacity",
            "50",
            "--failure",
            "{\"kind\":\"http\",\"status\":404}");

    assertThat(result.out()).contains("as HTTP 404.", "the policy does not retry these failures");
    assertThat(result.out()).containsPattern("amplification +1 × +1 × +1 ×");
  }

  @Test
  void reports_all_invalid_options_at_once() {
    CliResult result =
        perdure(
            "simulate",
            "http",
            "--clients",
            "0",
            "--load",
            "150%",
            "--outage",
            "5",
            "--seed",
            "x",
            "--failure",
            "{}");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines())
        .hasSize(5)
        .anyMatch(line -> line.startsWith("perdure: --failure.kind: "))
        .contains("perdure: --clients: must be a whole number between 1 and 1,000,000, not 0")
        .contains(
            "perdure: --load: must be greater than 0 and less than 1, such as 0.6 or 60%, not 150%")
        .anyMatch(line -> line.startsWith("perdure: --outage: '5' is not a duration"))
        .contains("perdure: --seed: must be a whole number, not 'x'");
  }

  @Test
  void names_the_option_of_an_invalid_scenario() {
    assertThat(perdure("simulate", "http", "--outage", "2d", "--horizon", "1s").err())
        .isEqualTo(
            """
            perdure: --outage: must be between 1ms and 1d, not 2d
            perdure: --horizon: must be between 5s and 7d, not 1s
            """);
    assertThat(perdure("simulate", "http", "--outage", "99999999d").err())
        .isEqualTo("perdure: --outage: must be at most 36500d, not 99999999d\n");
    assertThat(perdure("simulate", "http", "--load", "0").err())
        .contains("--load: must be greater than 0 and less than 1");
  }

  @Test
  void refuses_a_simulation_that_would_take_too_long() {
    CliResult result = perdure("simulate", "http", "--capacity", "1000000", "--horizon", "7d");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("choose a smaller capacity");
  }
}

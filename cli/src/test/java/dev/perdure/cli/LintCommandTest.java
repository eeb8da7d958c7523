// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.TestCli.perdure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class LintCommandTest {

  private static final String RISKY =
      """
      {"max_retries": null, "backoff": {"type": "fixed", "delay": "1s"}, "jitter": "none"}""";

  @Test
  void exits_with_0_without_warnings() {
    CliResult result = perdure("lint", "http");

    assertThat(result.code()).isZero();
    assertThat(result.out()).startsWith("No warnings");
  }

  @Test
  void explains_each_warning_and_its_fix() {
    CliResult result = perdure("lint", RISKY);

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.lines())
        .contains("no-jitter  jitter", "unlimited-without-expiry  max_retries")
        .anyMatch(line -> line.startsWith("  why  "))
        .anyMatch(line -> line.startsWith("  fix  "));
  }

  @Test
  void prints_warnings_as_json() {
    CliResult result = perdure("lint", RISKY, "--json");

    assertThat(result.code()).isEqualTo(1);
    JsonNode warnings = result.json().getFirst().get("warnings");
    assertThat(warnings.findValuesAsString("id")).contains("no-jitter");
    for (JsonNode warning : warnings) {
      assertThat(warning.propertyNames()).containsExactly("id", "path", "message", "fix");
    }
    assertThat(perdure("lint", "http", "--json").out()).isEqualTo("{\"warnings\":[]}\n");
  }

  @Test
  void considers_how_the_policy_is_used() {
    assertThat(ids("lint", "http", "--method", "POST")).contains("post-without-idempotency-key");
    assertThat(ids("lint", "http", "--method", "POST", "--idempotency-key"))
        .doesNotContain("post-without-idempotency-key");
    assertThat(
            ids("lint", "http", "--method", "POST", "--idempotency-key", "--key-lifetime", "10s"))
        .contains("outlives-idempotency-key");
    assertThat(ids("lint", "http", "--layers", "3")).contains("amplification");
    assertThat(ids("lint", "http", "--layers", "3", "--amplification", "1000"))
        .doesNotContain("amplification");
    String same = "{\"backoff\":{\"type\":\"fixed\",\"delay\":\"1s\"},\"jitter\":\"none\"}";
    assertThat(ids("lint", same)).contains("no-jitter");
    assertThat(ids("lint", same, "--clients", "1")).doesNotContain("no-jitter");
  }

  private static List<String> ids(String... args) {
    String[] json = Arrays.copyOf(args, args.length + 1);
    json[args.length] = "--json";
    return perdure(json).json().getFirst().get("warnings").findValuesAsString("id");
  }

  @Test
  void refuses_impossible_options() {
    CliResult result =
        perdure(
            "lint",
            "http",
            "--clients",
            "1.5",
            "--layers",
            "99",
            "--amplification",
            "0.5",
            "--key-lifetime",
            "0s");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err().lines())
        .hasSize(4)
        .contains("perdure: --amplification: must be at least 1, not 0.5")
        .contains("perdure: --key-lifetime: must be longer than 0, not 0s");
  }
}

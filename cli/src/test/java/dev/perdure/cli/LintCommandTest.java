// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.TestCli.perdure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class LintCommandTest {

  @TempDir private Path folder;

  private static final String RISKY =
      """
      {"max_retries": null, "backoff": {"type": "fixed", "delay": "1h"}, "jitter": "none"}""";

  /** Quick to simulate: no retry comes before the end. */
  private static final String LATE =
      """
      {"max_retries": 4, "backoff": {"type": "fixed", "delay": "1h"}}""";

  @Test
  void exits_with_0_without_warnings() {
    CliResult result = perdure("lint", LATE);

    assertThat(result.code()).isZero();
    assertThat(result.out()).startsWith("No warnings");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http",
        "{\"max_retries\": 1, \"backoff\": {\"type\": \"fixed\", \"delay\": \"30s\"}}",
        "null.json"
      })
  void says_what_simulate_finds(String policy) throws IOException {
    Files.writeString(folder.resolve("null.json"), "null");
    String argument = policy.endsWith("json") ? folder.resolve(policy).toString() : policy;

    String verdict =
        perdure("simulate", argument, "--json")
            .json()
            .getFirst()
            .get("with_policy")
            .get("verdict")
            .asString();

    assertThat(perdure("lint", argument, "--json").json().getFirst().get("outage").asString())
        .isEqualTo(verdict);
    assertThat(perdure("lint", argument).out().replace('\n', ' '))
        .containsPattern(
            "No warnings\\.  In the outage that simulate assumes, .*: " + verdict + "\\.");
  }

  @Test
  void gives_advice_that_the_dialect_of_the_policy_accepts() {
    CliResult result = perdure("lint", "{\"max_retries\": 3}");

    assertThat(result.out().replaceAll("\\s+", " "))
        .contains("the task dialect has no 'jitter': write the policy in the canonical form");
    String canonical =
        result.lines().stream().filter(line -> line.startsWith("{")).findFirst().orElseThrow();
    assertThat(ids("lint", canonical)).containsExactly("no-jitter");
    assertThat(ids("lint", canonical.replace("\"none\"", "{\"type\":\"spread\",\"factor\":0.25}")))
        .isEmpty();
  }

  @Test
  void warns_about_a_policy_that_has_expired() {
    String policy =
        "{\"backoff\": {\"type\": \"fixed\", \"delay\": \"1h\"}, \"expires_at\": \"%s\"}";

    assertThat(ids("lint", policy.formatted(TestCli.NOW))).containsExactly("expired");
    assertThat(ids("lint", policy.formatted(TestCli.NOW.plusSeconds(1)))).isEmpty();
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
    assertThat(perdure("lint", "http", "--json").out())
        .isEqualTo("{\"warnings\":[],\"outage\":\"metastable\"}\n");
  }

  @Test
  void considers_how_the_policy_is_used() {
    assertThat(ids("lint", LATE, "--method", "POST")).contains("post-without-idempotency-key");
    assertThat(ids("lint", LATE, "--method", "POST", "--idempotency-key"))
        .doesNotContain("post-without-idempotency-key");
    assertThat(ids("lint", LATE, "--method", "POST", "--idempotency-key", "--key-lifetime", "10s"))
        .contains("outlives-idempotency-key");
    assertThat(ids("lint", LATE, "--layers", "3")).contains("amplification");
    assertThat(ids("lint", LATE, "--layers", "3", "--amplification", "1000"))
        .doesNotContain("amplification");
    String same = "{\"backoff\":{\"type\":\"fixed\",\"delay\":\"1h\"},\"jitter\":\"none\"}";
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

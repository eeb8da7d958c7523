// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.TestCli.perdure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ExplainCommandTest {

  private static final String DOUBLING =
      """
      {"max_retries": 4, "backoff": {"type": "exponential", "initial": "1s"}}""";

  @Nested
  class TextOutput {

    @Test
    void describes_the_policy_in_words() {
      CliResult result = perdure("explain", "http");

      assertThat(result.code()).isZero();
      assertThat(result.err()).isEmpty();
      assertThat(result.out())
          .contains("retries      up to 4 retries, after 2 seconds, then twice as long each time\n")
          .contains("spread: the delay ± 25 %")
          .contains("none: no time limit")
          .contains("408, 429, 5xx, exception:java.io.IOException, timeout")
          .contains("honored, up to 1m")
          .contains("429 → up to 4 retries, after 3 seconds, then 3 times as long each time\n")
          .contains("502 → up to 2 retries, after 2 seconds, then twice as long each time\n")
          .contains("5xx → 1 retry after 2 seconds\n")
          .contains("503, 504 → as usual");
    }

    @Test
    void shows_each_retry_and_what_ends_them() {
      CliResult result = perdure("explain", DOUBLING);

      assertThat(result.lines())
          .anyMatch(line -> line.matches(" +1 +750ms +1s +1.25s +1s +░*█░*"))
          .anyMatch(line -> line.matches(" +4 +6s +8s +10s +15s +░+█░+"))
          .contains("Gives up after retry 4: max_retries is 4 (exhausted).");
    }

    @Test
    void says_which_failure_is_assumed() {
      assertThat(perdure("explain", "http").out())
          .contains("fails with HTTP 503 (assumed; change it with --failure)");
      assertThat(perdure("explain", "http", "--failure", "{\"kind\":\"timeout\"}").out())
          .contains("If every attempt fails with a timeout:")
          .isEqualTo(perdure("explain", "http", "--failure", "timeout").out());
      assertThat(perdure("explain", "http", "--failure", "502").out())
          .contains("If every attempt fails with HTTP 502:");
      assertThat(perdure("explain", "http", "--failure", "42").err())
          .isEqualTo("perdure: --failure: must be a whole number from 100 to 999, not 42\n");
    }

    @Test
    void shows_the_position_on_a_ladder() {
      CliResult result =
          perdure(
              "explain", "[{\"count\":2,\"delay_minutes\":5},{\"count\":1,\"delay_minutes\":60}]");

      assertThat(result.out())
          .contains("step 1/2, retry 2/2")
          .contains("step 2/2, retry 1/1")
          .contains("Gives up after retry 3: the ladder has ended (exhausted).");
    }

    @Test
    void names_the_expiry_that_ends_the_retries() {
      String policy =
          """
          {"max_retries": 9, "backoff": {"type": "fixed", "delay": "10s"}, "jitter": "none",
           "expires_after": "25s"}""";

      assertThat(perdure("explain", policy).out())
          .contains("Gives up after retry 2: without jitter the next retry");
    }

    @Test
    void measures_an_expiry_at_an_instant_from_now() {
      String policy =
          """
          {"max_retries": 9, "backoff": {"type": "fixed", "delay": "10s"}, "jitter": "none",
           "expires_at": "2026-03-01T12:00:25Z"}""";

      assertThat(new TestCli().environment("COLUMNS", "120").run("explain", policy).out())
          .contains("Gives up after retry 2")
          .contains("expires_at 2026-03-01T12:00:25.000Z (expired)");
    }

    @Test
    void names_the_override_whose_limit_ends_the_retries() {
      CliResult result =
          perdure("explain", "http", "--failure", "{\"kind\":\"http\",\"status\":500}");

      assertThat(result.out())
          .contains("Gives up after retry 1: max_retries of the override is 1 (exhausted).");
    }

    @Test
    void condenses_a_long_timeline() {
      CliResult result =
          perdure(
              "explain",
              "{\"max_retries\":100,\"backoff\":{\"type\":\"linear\",\"initial\":\"1s\"}}");

      assertThat(result.lines().size()).isLessThan(40);
      assertThat(result.out())
          .contains("… 82 more …")
          .contains("Gives up after retry 100: max_retries is 100 (exhausted).");
    }

    @Test
    void stops_early_for_endless_retries() {
      CliResult result = perdure("explain", "[{\"count\":0,\"delay_minutes\":5}]");

      assertThat(result.code()).isZero();
      assertThat(result.lines().size()).isLessThan(20);
      assertThat(result.out()).contains("step 1/1, retry 1/∞").contains("… and so on, without end");
    }

    @Test
    void says_that_retries_go_on_after_the_attempts_that_were_asked_for() {
      CliResult result =
          perdure("explain", "[{\"count\":0,\"delay_minutes\":5}]", "--attempts", "3");

      assertThat(result.out()).contains("retry 3/∞").doesNotContain("retry 4/∞");
      assertThat(result.lines().getLast()).isEqualTo("    … and so on, without end");
      assertThat(perdure("explain", DOUBLING, "--attempts", "5").out())
          .contains("Gives up after retry 4")
          .doesNotContain("and so on");
    }

    @Test
    void does_not_call_retries_with_an_expiry_endless() {
      String policy =
          """
          {"max_retries": null, "backoff": {"type": "fixed", "delay": "1s"}, "expires_after": "2d"}""";

      assertThat(perdure("explain", policy).out())
          .contains("… and so on")
          .doesNotContain("without end");
    }

    @Test
    void replaces_control_characters_with_question_marks() {
      String failure = "{\"kind\":\"explicit\",\"code\":\"a\\u001b[31mb\\u202ec\"}";

      CliResult result = perdure("explain", "queue", "--failure", failure);

      assertThat(result.out()).contains("code a?[31mb?c").doesNotContain("\u001b", "\u202e");
    }
  }

  @Nested
  class JsonOutput {

    @Test
    void prints_an_object_per_line_with_fields_in_order() {
      CliResult result = perdure("explain", DOUBLING, "--json");

      assertThat(result.code()).isZero();
      assertThat(result.lines()).hasSize(5);
      assertThat(result.lines().getFirst())
          .startsWith("{\"attempt\":0,\"retry\":true,\"delay_min_ms\":750,\"delay_max_ms\":1250,");
      assertThat(result.lines().getLast())
          .isEqualTo("{\"attempt\":4,\"retry\":false,\"reason\":\"exhausted\"}");
    }

    @Test
    void adds_up_the_time() {
      List<JsonNode> json = perdure("explain", DOUBLING, "--json").json();

      JsonNode third = json.get(2);
      assertThat(third.get("delay_expected_ms").asInt()).isEqualTo(4_000);
      assertThat(third.get("total_min_ms").asInt()).isEqualTo(5_250);
      assertThat(third.get("total_expected_ms").asInt()).isEqualTo(7_000);
      assertThat(third.get("total_max_ms").asInt()).isEqualTo(8_750);
    }

    @Test
    void prints_the_requested_number_of_attempts_even_past_the_end() {
      assertThat(perdure("explain", DOUBLING, "--json", "--attempts", "2").lines())
          .containsExactly(
              "{\"attempt\":0,\"retry\":true,\"delay_min_ms\":750,\"delay_max_ms\":1250}",
              "{\"attempt\":1,\"retry\":true,\"delay_min_ms\":1500,\"delay_max_ms\":2500}");

      List<JsonNode> json = perdure("explain", DOUBLING, "--json", "--attempts", "7").json();
      assertThat(json).hasSize(7);
      assertThat(json.get(6).get("attempt").asInt()).isEqualTo(6);
      assertThat(json.get(6).get("reason").asString()).isEqualTo("exhausted");
    }

    @Test
    void uses_the_failures_in_turn_and_repeats_the_last() {
      List<JsonNode> json =
          perdure(
                  "explain",
                  "http",
                  "--json",
                  "--attempts",
                  "4",
                  "--failure",
                  "{\"kind\":\"http\",\"status\":503}",
                  "--failure",
                  "{\"kind\":\"http\",\"status\":429,\"retry_after_ms\":7000}")
              .json();

      assertThat(json.get(0).get("delay_min_ms").asInt()).isEqualTo(1_500);
      assertThat(json.get(1).get("delay_min_ms").asInt()).isEqualTo(7_000);
      assertThat(json.get(3).get("delay_max_ms").asInt()).isEqualTo(7_000);
    }

    @Test
    void prints_a_thousand_attempts_of_endless_retries() {
      assertThat(perdure("explain", "[{\"count\":0,\"delay_minutes\":5}]", "--json").lines())
          .hasSize(1_000);
    }

    @Test
    void shows_the_position_on_a_ladder() {
      JsonNode first =
          perdure("explain", "[{\"count\":2,\"delay_minutes\":5}]", "--json").json().getFirst();

      assertThat(first.get("step").asInt()).isEqualTo(1);
      assertThat(first.get("steps").asInt()).isEqualTo(1);
      assertThat(first.get("step_retry").asInt()).isEqualTo(1);
      assertThat(first.get("step_count").asInt()).isEqualTo(2);
    }

    @Test
    void applies_no_server_limits() {
      CliResult result = perdure("explain", "{\"max_retries\": 5000}", "--json", "--attempts", "1");

      assertThat(result.code()).isZero();
    }
  }
}

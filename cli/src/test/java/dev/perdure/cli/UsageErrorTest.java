// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.TestCli.perdure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.policy.json.PolicyJson;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class UsageErrorTest {

  private static final String WRONG =
      """
      {"max_retrys": 3, "backoff": {"type": "fixed", "delay": "0s"}, "retry_on": []}""";

  private static void assertWrong(CliResult result, String... parts) {
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains(parts).doesNotContain("\tat ", "Exception");
    assertThat(result.err().lines()).allMatch(line -> line.startsWith("perdure: "));
  }

  @Nested
  class Policy {

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"explain", "simulate", "lint"})
    void with_problems_is_told_with_all_of_them_and_their_paths(String command) {
      CliResult result = perdure(command, WRONG);

      assertWrong(result, "max_retrys: ", "did you mean 'max_retries'?");
      assertThat(result.err().lines())
          .hasSize(3)
          .anyMatch(line -> line.startsWith("perdure: backoff.delay: must be more than 0"))
          .anyMatch(line -> line.startsWith("perdure: retry_on: must not be empty"));
    }

    @Test
    void with_problems_is_told_to_programs_in_json() {
      CliResult result = perdure("explain", WRONG, "--json");

      assertThat(result.code()).isEqualTo(2);
      assertThat(result.out()).isEmpty();
      assertThat(result.errors().findValuesAsString("path"))
          .containsExactlyInAnyOrder("max_retrys", "backoff.delay", "retry_on");
      for (JsonNode error : result.errors()) {
        assertThat(error.propertyNames()).containsExactly("path", "message");
      }
    }

    @Test
    void that_is_not_json_is_told() {
      assertWrong(perdure("explain", "{\"backoff\""), "POLICY: is not JSON at line 1");
      assertWrong(new TestCli().stdin("").run("explain", "-"), "POLICY: is empty");
    }

    @Test
    void is_read_from_standard_input() {
      CliResult result = new TestCli().stdin("{\"max_retries\": 1}").run("explain", "-", "--json");

      assertThat(result.code()).isZero();
      assertThat(result.lines()).hasSize(2);
    }

    @Test
    void is_read_from_a_file_also_with_a_byte_order_mark() throws IOException {
      Path file = Files.writeString(folder.resolve("policy.json"), "\uFEFF{\"max_retries\": 1}");

      assertThat(perdure("explain", file.toString(), "--json").lines()).hasSize(2);
    }

    @Test
    void in_a_file_that_is_missing_is_told_with_the_nearest_preset() {
      assertWrong(
          perdure("explain", "htpp"), "there is no file 'htpp'; did you mean 'http'?", "a preset");
      assertWrong(perdure("explain", folder.toString()), "is a directory, not a file");
      assertWrong(perdure("explain", "a\u0000b"), "'a?b' cannot be a file");
      assertWrong(perdure("explain"), "POLICY: is missing");
      assertWrong(perdure("lint"), "POLICY");
    }

    @Test
    void that_is_not_text_is_told() {
      byte[] bytes = {'{', (byte) 0xff, '}'};

      assertWrong(new TestCli().stdin(bytes).run("explain", "-"), "standard input is not UTF-8");
    }

    @Test
    void that_is_too_long_is_not_read_to_its_end() throws IOException {
      String longest = "{\"max_retries\": 1}" + " ".repeat(PolicyJson.MAX_LENGTH - 18);

      assertThat(new TestCli().stdin(longest).run("explain", "-").code()).isZero();
      assertWrong(
          new TestCli().stdin(longest + " ").run("explain", "-"),
          "standard input is longer than the 65,536 characters allowed");
      assertWrong(new TestCli().stdin("ä".repeat(10_000_000)).run("lint", "-"), "is longer than");
      Path endless = Path.of("/dev/zero");
      if (Files.exists(endless)) {
        assertWrong(perdure("explain", endless.toString()), "is longer than");
      }
    }

    @Test
    void and_options_are_told_together() {
      CliResult result =
          perdure(
              "explain",
              WRONG,
              "--attempts",
              "0",
              "--failure",
              "{\"kind\":\"htp\"}",
              "--failure",
              "{\"kind\":\"http\",\"status\":9}",
              "--plot",
              "picture.gif");

      assertWrong(
          result,
          "perdure: --attempts: must be a whole number from 1 to 100,000, not 0",
          "perdure: --failure[0].kind: ",
          "perdure: --failure[1].status: ",
          "perdure: --plot: 'picture.gif' must end in .svg or .png");
      assertThat(result.err().lines()).hasSize(7);
    }
  }

  @Test
  void a_person_is_told_that_standard_input_is_read() {
    assertThat(new TestCli().keyboard().run("explain", "-").err())
        .startsWith("perdure: reading standard input; Ctrl-D ends it\n");
    assertThat(new TestCli().terminal(80).run("explain", "-").err()).doesNotContain("reading");
  }

  @Nested
  class Words {

    @Test
    void that_are_no_command_bring_a_suggestion() {
      assertWrong(perdure("explian", "http"), "unknown command 'explian'; did you mean 'explain'?");
      assertWrong(perdure("make-tea"), "unknown command 'make-tea' (see perdure --help)");
    }

    @Test
    void that_are_no_option_bring_a_suggestion() {
      assertWrong(
          perdure("explain", "http", "--atempts=3"),
          "unknown option '--atempts'; did you mean '--attempts'? (see perdure explain --help)");
    }

    @Test
    void too_many_are_told() {
      assertWrong(perdure("explain", "http", "queue"), "one argument too many: 'queue'");
    }

    @Test
    void missing_after_an_option_are_told() {
      assertWrong(perdure("explain", "http", "--attempts"), "--attempts");
      assertWrong(perdure("explain", "http", "--color=pink"), "--color", "always");
      assertWrong(perdure("explain", "http", "--attempts", "1", "--attempts", "2"), "--attempts");
    }

    @Test
    void are_told_to_programs_in_json() {
      CliResult result = perdure("explain", "http", "--json", "--atempts=3");

      assertThat(result.code()).isEqualTo(2);
      assertThat(result.errors().get(0).get("message").asString()).contains("--attempts");
    }

    @Test
    void that_name_a_file_of_arguments_are_not_followed() {
      assertWrong(perdure("explain", "@/etc/passwd"), "there is no file '@/etc/passwd'");
    }
  }

  @Test
  void nothing_at_all_shows_how_to_use_it() {
    CliResult result = perdure();

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("Usage: perdure", "explain", "perdure demo");
  }

  @Test
  void an_answer_that_cannot_be_written_is_not_given() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };

    CliResult result = new TestCli().runInto(full, "explain", "http");

    assertThat(result.code()).isEqualTo(Perdure.EXIT_USAGE);
    assertThat(result.err())
        .isEqualTo("perdure: could not write the whole answer to standard output\n");
  }
}

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
    void with_errors_is_reported_with_every_path(String command) {
      CliResult result = perdure(command, WRONG);

      assertWrong(result, "max_retrys: ", "did you mean 'max_retries'?");
      assertThat(result.err().lines())
          .hasSize(3)
          .anyMatch(line -> line.startsWith("perdure: backoff.delay: must be more than 0"))
          .anyMatch(line -> line.startsWith("perdure: retry_on: must not be empty"));
    }

    @Test
    void with_errors_is_reported_as_json() {
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
    void that_is_not_json_is_reported() {
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
    void is_read_from_a_file_with_a_byte_order_mark() throws IOException {
      Path file = Files.writeString(folder.resolve("policy.json"), "\uFEFF{\"max_retries\": 1}");

      assertThat(perdure("explain", file.toString(), "--json").lines()).hasSize(2);
    }

    @Test
    void in_a_missing_file_is_reported_with_the_nearest_preset() {
      assertWrong(
          perdure("explain", "htpp"), "file not found: 'htpp'; did you mean 'http'?", "a preset");
      assertWrong(perdure("explain", folder.toString()), "is a directory, not a file");
      assertWrong(perdure("explain", "a\u0000b"), "'a?b' is not a valid file name");
      assertWrong(perdure("explain"), "POLICY: is missing");
      assertWrong(perdure("lint"), "POLICY");
    }

    @Test
    void that_is_not_text_is_reported() {
      byte[] bytes = {'{', (byte) 0xff, '}'};

      assertWrong(new TestCli().stdin(bytes).run("explain", "-"), "standard input is not UTF-8");
    }

    @Test
    void that_is_too_long_is_not_read_to_its_end() throws IOException {
      String longest = "{\"max_retries\": 1}" + " ".repeat(PolicyJson.MAX_LENGTH - 18);

      assertThat(new TestCli().stdin(longest).run("explain", "-").code()).isZero();
      assertWrong(
          new TestCli().stdin(longest + " ").run("explain", "-"),
          "standard input is longer than 65,536 characters");
      assertWrong(new TestCli().stdin("ä".repeat(10_000_000)).run("lint", "-"), "is longer than");
      Path endless = Path.of("/dev/zero");
      if (Files.exists(endless)) {
        assertWrong(perdure("explain", endless.toString()), "is longer than");
      }
    }

    @Test
    void and_options_are_reported_together() {
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
          "perdure: --attempts: must be a whole number between 1 and 100,000, not 0",
          "perdure: --failure[0].kind: ",
          "perdure: --failure[1].status: ",
          "perdure: --plot: 'picture.gif' must end in .svg");
      assertThat(result.err().lines()).hasSize(7);
    }
  }

  @Test
  void a_terminal_shows_that_standard_input_is_read() {
    assertThat(new TestCli().keyboard().run("explain", "-").err())
        .startsWith("perdure: reading standard input; press Ctrl-D to end it\n");
    assertThat(new TestCli().terminal(80).run("explain", "-").err()).doesNotContain("reading");
  }

  @Nested
  class Arguments {

    @Test
    void that_are_not_commands_get_a_suggestion() {
      assertWrong(perdure("explian", "http"), "unknown command 'explian'; did you mean 'explain'?");
      assertWrong(perdure("make-tea"), "unknown command 'make-tea' (see perdure --help)");
    }

    @Test
    void that_are_not_options_get_a_suggestion() {
      assertWrong(
          perdure("explain", "http", "--atempts=3"),
          "unknown option '--atempts'; did you mean '--attempts'? (see perdure explain --help)");
    }

    @Test
    void that_are_unexpected_are_reported() {
      assertWrong(perdure("explain", "http", "queue"), "unexpected argument 'queue'");
    }

    @Test
    void that_are_missing_invalid_or_repeated_are_reported() {
      assertWrong(perdure("explain", "http", "--attempts"), "--attempts");
      assertWrong(perdure("explain", "http", "--color=pink"), "--color", "always");
      assertWrong(perdure("explain", "http", "--attempts", "1", "--attempts", "2"), "--attempts");
    }

    @Test
    void are_reported_as_json() {
      CliResult result = perdure("explain", "http", "--json", "--atempts=3");

      assertThat(result.code()).isEqualTo(2);
      assertThat(result.errors().get(0).get("message").asString()).contains("--attempts");
    }

    @Test
    void that_start_with_an_at_sign_are_taken_literally() {
      assertWrong(perdure("explain", "@/etc/passwd"), "file not found: '@/etc/passwd'");
    }
  }

  @Test
  void no_arguments_show_the_usage() {
    CliResult result = perdure();

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("Usage: perdure", "explain", "perdure demo");
  }

  @Test
  void output_that_cannot_be_written_is_an_error() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };

    CliResult result = new TestCli().runInto(full, "explain", "http");

    assertThat(result.code()).isEqualTo(Perdure.EXIT_USAGE);
    assertThat(result.err()).isEqualTo("perdure: could not write all output to standard output\n");
  }
}

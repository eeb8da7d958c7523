// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.TestCli.perdure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTest {

  private static final int COLUMNS = 80;

  static List<String> commands() {
    return List.of(
        "explain",
        "simulate",
        "lint",
        "serve",
        "submit",
        "tasks",
        "show",
        "batches",
        "batch",
        "schedules",
        "schedule",
        "resolve",
        "watch",
        "cancel",
        "pause",
        "resume",
        "retry",
        "limits",
        "limit",
        "key",
        "migrate",
        "config",
        "demo",
        "tour",
        "bench",
        "version",
        "completion");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shows_an_example_of_every_command(String command) {
    CliResult result = perdure(command, "--help");

    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .startsWith("Usage: perdure " + command)
        .contains("  perdure " + command);
    assertThat(perdure("help", command).out()).isEqualTo(result.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"submit", "bench", "completion"})
  void shows_examples_with_the_command_that_was_called(String command) {
    String help = new TestCli().environment("PERDURE_CALL", "./perdure").run(command, "-h").out();

    assertThat(help).startsWith("Usage: perdure " + command).contains("./perdure " + command);
    assertThat(help.replace("./perdure", "").replaceFirst("perdure", ""))
        .doesNotContain("perdure " + command);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void wraps_text_at_the_full_width(String command) {
    List<String> lines = perdure(command, "--help").lines();
    for (int i = 0; i < lines.size() - 1; i++) {
      String line = lines.get(i);
      String next = lines.get(i + 1);
      if (isText(line) && isText(next)) {
        String word = next.split(" ", 2)[0];
        assertThat(line.length() + 1 + word.length()).as(line).isGreaterThanOrEqualTo(COLUMNS);
      }
    }
  }

  private static boolean isText(String line) {
    return !line.isEmpty() && !line.startsWith(" ") && !line.startsWith("Usage:");
  }

  @Test
  void help_of_bench_does_not_mention_the_default_server() {
    assertThat(perdure("bench", "--help").out()).doesNotContain("PERDURE_URL", "8085)");
  }

  @Test
  void lists_the_commands() {
    CliResult result = perdure("--help");

    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains("explain", "simulate", "lint", "serve", "config", "demo", "version", "help");
    assertThat(new TestCli().environment("COLUMNS", "160").run("--help").lines())
        .noneMatch(line -> line.endsWith(";") || line.endsWith(","));
  }

  @Test
  void prints_single_percent_signs() {
    assertThat(perdure("simulate", "--help").out())
        .contains("--load 80% ")
        .contains("(60%)")
        .doesNotContain("%%");
  }

  @Test
  void prints_the_version() {
    assertThat(perdure("version").out()).matches("perdure \\S+ \\(Java \\S+\\)\n");
    assertThat(perdure("--version").out()).isEqualTo(perdure("version").out());
    assertThat(perdure("version", "--json").json().getFirst().propertyNames())
        .containsExactly("version", "java");
  }
}

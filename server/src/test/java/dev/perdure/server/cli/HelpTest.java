// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import static dev.perdure.server.cli.TestShell.perdure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.cli.TestShell.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "explain",
        "simulate",
        "lint",
        "serve",
        "submit",
        "tasks",
        "show",
        "watch",
        "cancel",
        "pause",
        "resume",
        "retry",
        "key",
        "migrate",
        "config",
        "demo",
        "tour",
        "bench",
        "version",
        "completion"
      })
  void shows_an_example_of_every_command(String command) {
    Answer answer = perdure(command, "--help");

    assertThat(answer.code()).isZero();
    assertThat(answer.err()).isEmpty();
    assertThat(answer.out())
        .startsWith("Usage: perdure " + command)
        .contains("  perdure " + command);
    assertThat(perdure("help", command).out()).isEqualTo(answer.out());
  }

  @Test
  void says_that_schedules_are_not_there_yet() {
    Answer answer = perdure("schedules");

    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err())
        .contains("schedules: comes with schedules, which are not supported yet");
  }

  @Test
  void lists_the_commands() {
    Answer answer = perdure("--help");

    assertThat(answer.code()).isZero();
    assertThat(answer.out())
        .contains("explain", "simulate", "lint", "serve", "config", "demo", "version", "help");
    assertThat(new TestShell().environment("COLUMNS", "160").run("--help").lines())
        .noneMatch(line -> line.endsWith(";") || line.endsWith(","));
  }

  @Test
  void says_shares_with_a_single_percent_sign() {
    assertThat(perdure("simulate", "--help").out())
        .contains("--load 80% ")
        .contains("(60%)")
        .doesNotContain("%%");
  }

  @Test
  void tells_the_version() {
    assertThat(perdure("version").out()).matches("perdure \\S+ \\(Java \\S+\\)\n");
    assertThat(perdure("--version").out()).isEqualTo(perdure("version").out());
    assertThat(perdure("version", "--json").json().getFirst().propertyNames())
        .containsExactly("version", "java");
  }
}

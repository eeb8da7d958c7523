// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The width and the colours of the output. */
@Tag("slow")
class OutputFormatTest {

  private static final String LONG_NAMES =
      "{\"backoff\":{\"type\":\"ladder\",\"steps\":[{\"count\":3,\"delay\":\"5m\"},"
          + "{\"count\":30,\"delay\":\"1h\"}]},\"jitter\":\"full\",\"retry_on\":[\"timeout\",\"code:"
          + "x".repeat(200)
          + "\"]}";

  static Stream<List<String>> commands() {
    return Stream.of(
        List.of("explain", "http"),
        List.of("explain", "transient"),
        List.of("explain", LONG_NAMES),
        List.of(
            "explain", "[{\"count\":40,\"delay_minutes\":5},{\"count\":0,\"delay_minutes\":99}]"),
        List.of(
            "explain",
            "{\"backoff\":{\"type\":\"exponential\",\"initial\":\"1ms\"},\"max_retries\":99}"),
        List.of("simulate", "http", "--capacity", "100", "--horizon", "40s"),
        List.of("simulate", "queue", "--capacity", "100", "--horizon", "30s", "--load", "10%"),
        List.of("lint", "{\"max_retries\":null,\"backoff\":{\"type\":\"fixed\",\"delay\":\"1s\"}}"),
        List.of("tour"),
        List.of("--help"),
        List.of("simulate", "--help"));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void only_commands_and_single_words_are_longer_than_the_width(List<String> command) {
    for (int width : new int[] {60, 79, 100, 120, 160}) {
      CliResult result =
          new TestCli()
              .environment("COLUMNS", Integer.toString(width))
              .run(command.toArray(String[]::new));

      assertThat(result.lines())
          .as("at a width of %d", width)
          .isNotEmpty()
          .allMatch(line -> line.length() <= width || mustNotBreak(line.strip()));
    }
  }

  private static boolean mustNotBreak(String text) {
    return !text.contains(" ") || text.startsWith("perdure ") || text.startsWith("$ perdure ");
  }

  @Test
  void extra_width_is_used() {
    assertThat(widest(new TestCli().environment("COLUMNS", "120"))).isBetween(101, 120);
    assertThat(widest(new TestCli().terminal(100))).isBetween(81, 100);
    assertThat(widest(new TestCli().terminal(100).environment("COLUMNS", "70"))).isBetween(60, 70);
    assertThat(widest(new TestCli())).isBetween(71, 80);
  }

  @Test
  void an_invalid_width_is_ignored() {
    assertThat(widest(new TestCli().environment("COLUMNS", "7"))).isBetween(50, 60);
    assertThat(widest(new TestCli().environment("COLUMNS", "99999"))).isBetween(121, 160);
    assertThat(widest(new TestCli().environment("COLUMNS", "wide"))).isBetween(71, 80);
  }

  /** Without the sentences about retries, which are not wrapped unless the width is known. */
  private static int widest(TestCli shell) {
    return shell.run("explain", "http", "--color=never").lines().stream()
        .filter(line -> !line.startsWith("override"))
        .mapToInt(String::length)
        .max()
        .orElse(0);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void a_pipe_gets_no_colour(List<String> command) {
    assertThat(new TestCli().run(command.toArray(String[]::new)).out()).doesNotContain("\u001b");
  }

  @Test
  void a_terminal_gets_colour_unless_switched_off() {
    String escape = "\u001b[";

    assertThat(new TestCli().terminal(80).run("explain", "http").out()).contains(escape);
    assertThat(new TestCli().run("explain", "http", "--color=always").out()).contains(escape);
    assertThat(new TestCli().terminal(80).environment("NO_COLOR", "1").run("explain", "http").out())
        .doesNotContain(escape);
    assertThat(new TestCli().terminal(80).environment("TERM", "dumb").run("explain", "http").out())
        .doesNotContain(escape);
    assertThat(new TestCli().terminal(80).run("explain", "http", "--color=never").out())
        .doesNotContain(escape);
    assertThat(new TestCli().terminal(80).run("explain", "http", "--json").out())
        .doesNotContain(escape);
  }

  @Test
  void colour_does_not_change_the_text() {
    for (String command : List.of("explain", "simulate", "lint")) {
      String plain = new TestCli().run(command, "queue").out();
      String colored = new TestCli().run(command, "queue", "--color=always").out();

      assertThat(colored.replaceAll("\u001b\\[[0-9]*m", "")).isEqualTo(plain);
    }
  }

  @Test
  void the_tour_shows_the_policy_commands() {
    CliResult result = new TestCli().run("tour");

    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains("$ perdure explain http", "$ perdure lint", "$ perdure simulate")
        .contains("Gives up after retry 4", "no-jitter")
        .containsPattern("verdict +stable +metastable +stable");
    assertThat(new TestCli().run("tour", "--color=always").out())
        .contains("\u001b[31mmetastable\u001b[0m");
  }
}

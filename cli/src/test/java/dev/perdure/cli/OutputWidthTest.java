// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What fits on a terminal, and what a program gets. */
class OutputWidthTest extends ServerCommandFixture {

  private static final String REASON = "the customer's card was declined by the bank in Oslo";

  private String id = "";

  @BeforeEach
  void submitTaskThatFailed() throws Exception {
    CliResult submitted =
        shell()
            .stdin("{\"kind\": \"charge\", \"name\": \"invoice 7\"}")
            .run("submit", "-", "--json");
    id = submitted.json().getFirst().get("id").stringValue();
    server.post("/task/claim", "{\"worker\": \"w\", \"kinds\": [\"charge\"]}");
    server.send(
        "PATCH",
        "/task/" + id,
        "{\"status\": \"Failure\", \"failure_reason\": \"%s\", \"epoch\": 1}".formatted(REASON));
  }

  @Test
  void at_80_columns_tasks_shows_the_name_and_the_reason() {
    List<String> lines = shell().terminal(80).run("tasks", "--color=never").lines();

    assertThat(lines.get(0)).containsSubsequence("id", "status", "name", "when", "reason");
    assertThat(lines.get(1)).contains("Failure", "invoice 7", "the customer's card was");
    assertThat(lines.get(1)).hasSizeLessThanOrEqualTo(80);
  }

  @Test
  void nothing_is_cut_where_the_output_is_no_terminal() {
    List<String> lines = run("tasks").lines();

    assertThat(lines.get(1)).contains(id, "charge", "invoice 7", REASON);
  }

  @Test
  void columns_limits_a_pipe_only_when_it_is_set() {
    assertThat(shell().environment("COLUMNS", "80").run("tasks").lines().get(1))
        .hasSizeLessThanOrEqualTo(80);
    assertThat(shell().environment("COLUMNS", "").run("tasks").lines().get(1)).contains(REASON);
  }

  @Test
  void show_wraps_a_long_reason_between_words() {
    String shown = shell().terminal(60).run("show", id, "--color=never").out();

    assertThat(shown.lines()).noneMatch(line -> line.contains("…"));
    assertThat(shown.replaceAll("\\s+", " ")).contains(REASON);
  }
}

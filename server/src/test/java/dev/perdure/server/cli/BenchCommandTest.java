// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestServer;
import dev.perdure.server.cli.TestShell.Answer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Timeout(120)
class BenchCommandTest {

  @TempDir private Path folder;

  @Test
  void measures_a_server_of_its_own() {
    Answer answer = new TestShell().run("bench", "--tasks", "50", "--rounds", "2");

    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out())
        .startsWith("2 rounds of 50 tasks each: median (least–most)\n")
        .containsPattern("submitted a second +[1-9][0-9,]* \\([0-9,]+–[0-9,]+\\)")
        .containsPattern("settled a second +[1-9]")
        .containsPattern("POST, p99 in ms +\\d+\\.\\d ");
  }

  @Test
  void settles_every_task_at_the_server_that_is_named() {
    try (TestServer server = TestServer.in(folder)) {
      String url = server.url().toString();
      List<JsonNode> rounds =
          new TestShell()
              .run("bench", "--tasks", "30", "--rounds", "2", "--json", "--url", url)
              .json();

      assertThat(rounds).hasSize(2);
      assertThat(rounds)
          .allMatch(round -> round.get("settled_per_second").longValue() > 0)
          .allMatch(
              round ->
                  round.get("post_p50_us").longValue() <= round.get("post_p99_us").longValue());
      assertThat(
              new TestShell()
                  .run("tasks", "--status", "Success", "--limit", "1000", "--json", "--url", url)
                  .json())
          .as("a round to warm up, and two")
          .hasSize(90);
    }
  }

  @Test
  void says_which_option_is_wrong() {
    assertThat(new TestShell().run("bench", "--tasks", "0").err())
        .isEqualTo("perdure: --tasks: must be a whole number from 1 to 100,000, not 0\n");
  }
}

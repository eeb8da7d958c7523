// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The command that shows what is wrong. */
class StatusCommandTest extends ServerCommandFixture {

  @Test
  void an_idle_server_is_well_at_every_width() {
    for (int width : List.of(60, 80, 160)) {
      CliResult result = shell().environment("COLUMNS", Integer.toString(width)).run("status");
      assertThat(result.code()).isZero();
      assertThat(result.out()).contains("All is well.", "slots busy", "given up");
      assertThat(result.lines()).allMatch(line -> line.length() <= width);
    }
  }

  @Test
  void tasks_that_nobody_takes_are_a_warning() {
    shell()
        .stdin("{\"kind\": \"resize\", \"run_at\": \"2020-01-01T00:00:00Z\"}")
        .run("submit", "-");

    CliResult result = run("status");

    assertThat(result.out()).contains("Nobody takes resize. 1 task is due");
    assertThat(result.code()).as("a warning is nothing serious").isZero();
  }

  @Test
  void json_is_what_the_server_says() {
    assertThat(run("status", "--json").json().getFirst().get("problems").isArray()).isTrue();
  }
}

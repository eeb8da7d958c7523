// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.server.TestServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Timeout(60)
class ShowCommandTest {

  @TempDir private Path folder;

  @Test
  void a_parked_task_says_so_and_why() {
    try (TestServer server =
        TestServer.in(
            folder,
            Map.of(),
            engine ->
                engine.register(
                    "odd",
                    JsonNode.class,
                    (payload, context) -> {
                      throw context.park("its key is not here");
                    }))) {
      TestCli shell = new TestCli().environment("PERDURE_URL", server.url().toString());
      CliResult submitted = shell.stdin("{\"kind\": \"odd\"}").run("submit", "-", "--json");
      String id = submitted.json().getFirst().get("id").stringValue();
      while (!shell.run("show", id, "--json").json().getFirst().get("parked").booleanValue()) {
        Thread.onSpinWait();
      }

      CliResult shown = shell.environment("COLUMNS", "160").run("show", id);
      assertThat(shown.lines().getFirst()).isEqualTo("task " + id + " is Parked");
      assertThat(shown.lines().get(2))
          .isEqualTo("parked       its key is not here; resume it with: perdure resume " + id);
      assertThat(shown.out()).doesNotContain("\nfailure ");
      assertThat(shell.run("tasks", "--status", "parked,paused").out())
          .contains(id, "Parked", "its key is not here");
    }
  }
}

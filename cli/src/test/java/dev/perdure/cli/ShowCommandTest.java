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
      String id = id(submitted);
      while (!shell.run("show", id, "--json").json().getFirst().get("parked").booleanValue()) {
        Thread.onSpinWait();
      }

      CliResult shown = shell.environment("COLUMNS", "160").run("show", id);
      assertThat(shown.lines().getFirst()).isEqualTo("task " + id + " is Parked");
      assertThat(shown.lines().subList(2, 4))
          .containsExactly(
              "parked       its key is not here",
              "             resume it with: perdure resume " + id.substring(4, 18));
      assertThat(shown.out()).doesNotContain("\nfailure ");
      assertThat(shell.run("tasks", "--status", "parked,paused").out())
          .contains(id.substring(4, 18), "Parked", "its key is not here");
    }
  }

  @Test
  void a_waiting_retry_shows_its_badge_and_its_policy_in_words() {
    try (TestServer server =
        TestServer.in(
            folder,
            Map.of(),
            engine ->
                engine.register(
                    "odd",
                    JsonNode.class,
                    (payload, context) -> {
                      throw new IllegalStateException("no seats");
                    }))) {
      TestCli shell = new TestCli().environment("PERDURE_URL", server.url().toString());
      String task =
          """
          {"kind": "odd",
           "retry": [{"count": 5, "delay_minutes": 60}, {"count": 0, "delay_minutes": 600}]}""";
      String id = id(shell.stdin(task).run("submit", "-", "--json"));
      while (shell.run("show", id, "--json").json().getFirst().get("badge").isNull()) {
        Thread.onSpinWait();
      }

      assertThat(shell.run("show", id).lines())
          .anyMatch(
              line ->
                  line.startsWith("task " + id + " is RetryPending, attempt 1/5, step 1/2, due "))
          .contains("retries      5 retries every hour, then every 10 hours until canceled");
    }
  }

  @Test
  void json_and_words_are_never_broken() {
    String word = "https://example.org/" + "a".repeat(100);
    String payload = "{\"text\":\"%s\"}".formatted("many words ".repeat(20));
    try (TestServer server = TestServer.in(folder)) {
      TestCli shell =
          new TestCli().environment("PERDURE_URL", server.url().toString()).terminal(80);
      String task =
          "{\"kind\": \"mail\", \"name\": \"%s\", \"payload\": %s}".formatted(word, payload);
      String id = id(shell.stdin(task).run("submit", "-", "--json"));
      String large = "{\"kind\": \"mail\", \"payload\": \"%s\"}".formatted("x".repeat(5000));
      String largeId = id(shell.stdin(large).run("submit", "-", "--json"));

      assertThat(shell.run("show", id, "--color=never").lines())
          .contains("name         " + word, "payload      " + payload);
      assertThat(shell.run("show", largeId, "--color=never").lines())
          .contains(
              "payload      5,002 characters, see them with: perdure show %s --json"
                  .formatted(largeId.substring(4, 18)));
      TestCli pipe = new TestCli().environment("PERDURE_URL", server.url().toString());
      assertThat(pipe.run("show", largeId).lines())
          .contains("payload      \"" + "x".repeat(5000) + "\"");
    }
  }

  private static String id(CliResult submitted) {
    return submitted.json().getFirst().get("id").stringValue();
  }
}

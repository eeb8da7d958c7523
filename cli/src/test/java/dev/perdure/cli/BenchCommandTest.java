// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.cli.bench.LoadGenerator;
import dev.perdure.client.PerdureClient;
import dev.perdure.server.Eventually;
import dev.perdure.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Tag("slow")
@Timeout(240)
class BenchCommandTest {

  @TempDir private Path folder;

  @Test
  void measures_a_temporary_server() {
    CliResult result = new TestCli().run("bench", "--tasks", "50", "--rounds", "2");

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.lines().get(0))
        .matches("round 1: [0-9,]+ submitted per second, [0-9,]+ settled per second");
    assertThat(result.lines().get(1)).startsWith("round 2: ");
    assertThat(result.out())
        .contains("\n\n2 rounds of 50 tasks each: median (min–max)\n")
        .containsPattern("submitted per second +[1-9][0-9,]* \\([0-9,]+–[0-9,]+\\)")
        .containsPattern("settled per second +[1-9]")
        .containsPattern("POST p99 in ms +\\d+\\.\\d ");
  }

  @Test
  void settles_every_task_on_the_given_server() {
    try (TestServer server = TestServer.in(folder)) {
      String url = server.url().toString();
      List<JsonNode> rounds =
          new TestCli()
              .run("bench", "--tasks", "30", "--rounds", "2", "--json", "--url", url)
              .json();

      assertThat(rounds).hasSize(2);
      assertThat(rounds)
          .allMatch(round -> round.get("settled_per_second").longValue() > 0)
          .allMatch(
              round ->
                  round.get("post_p50_us").longValue() <= round.get("post_p99_us").longValue());
      assertThat(
              new TestCli()
                  .run("tasks", "--status", "Success", "--limit", "1000", "--json", "--url", url)
                  .json())
          .as("one warm-up round and two measured ones")
          .hasSize(90);
    }
  }

  @Test
  void shows_progress_on_a_terminal() {
    CliResult result =
        new TestCli().terminal(80).run("bench", "--tasks", "50", "--rounds", "1", "--color=never");

    assertThat(result.out())
        .contains("warm-up  ", "%  submitting", "\u001B[J1 round of 50 tasks each: ");
    assertThat(result.out().replaceAll("\u001B\\[\\d*[AJ]", "").lines())
        .allMatch(line -> line.codePointCount(0, line.length()) <= 80);
  }

  @Test
  void leaves_no_tasks_on_a_server_that_refuses_claims() {
    try (TestServer server = TestServer.in(folder)) {
      TestCli shell = new TestCli().environment("PERDURE_URL", server.url().toString());
      String admin = key(shell, "ops", "admin");
      String submitter = key(shell.environment("PERDURE_KEY", admin), "app", "submit");

      CliResult result =
          new TestCli().run("bench", "--url", server.url().toString(), "--key", submitter);

      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains("role").doesNotContain("could not cancel");
      assertThat(shell.run("tasks").out()).isEqualTo("No tasks.\n");
    }
  }

  private static String key(TestCli shell, String name, String role) {
    CliResult result = shell.run("key", "create", name, "--role", role, "--json");
    assertThat(result.code()).as(result.err()).isZero();
    return result.json().getFirst().get("key").stringValue();
  }

  @Test
  void leaves_no_live_tasks_after_a_timeout() {
    try (TestServer server = TestServer.in(folder)) {
      String url = server.url().toString();

      CliResult result =
          new TestCli().run("bench", "--tasks", "100000", "--timeout", "500ms", "--url", url);

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.out()).isEmpty();
      assertThat(result.err()).isEqualTo("perdure: timed out after 0 of 3 rounds\n");
      assertThat(new TestCli().run("tasks", "--status", "Pending", "--url", url).out())
          .isEqualTo("No tasks.\n");
    }
  }

  @Test
  void does_not_wait_for_a_task_that_another_caller_ends() throws Exception {
    try (TestServer server = TestServer.in(folder);
        PerdureClient client = PerdureClient.builder(server.url()).build()) {
      TestCli shell = new TestCli().environment("PERDURE_URL", server.url().toString());
      LoadGenerator load =
          new LoadGenerator(
              client, "mine", 2, () -> Duration.ofNanos(System.nanoTime()), () -> false);

      load.runRound(
          20,
          done -> {
            if (done == 20) {
              JsonNode task = shell.run("tasks", "--json").json().getFirst();
              shell.run("cancel", task.get("id").stringValue());
            }
          });

      assertThat(shell.run("tasks", "--json").json())
          .extracting(task -> task.get("status").stringValue())
          .hasSize(20)
          .containsOnly("Success", "Canceled");
    }
  }

  @Test
  void leaves_no_file_behind_when_it_is_stopped() throws Exception {
    Process bench =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                Perdure.class.getName(),
                "bench",
                "--tasks",
                "100000")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectErrorStream(true)
            .start();
    try {
      Eventually.await(this::databases, found -> !found.isEmpty());

      bench.destroy();

      assertThat(bench.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(folder).isDirectoryNotContaining("glob:**/perdure-bench*");
    } finally {
      bench.destroyForcibly();
    }
  }

  private List<Path> databases() throws IOException {
    try (Stream<Path> files = Files.walk(folder, 2)) {
      return files.filter(file -> file.endsWith("perdure.db")).toList();
    }
  }

  @Test
  void names_the_invalid_option() {
    assertThat(new TestCli().run("bench", "--tasks", "0").err())
        .isEqualTo("perdure: --tasks: must be a whole number between 1 and 100,000, not 0\n");
  }
}

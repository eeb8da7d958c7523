// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.BatchCommandsTest.ID;
import static dev.perdure.cli.BatchCommandsTest.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Follows a batch by its statistics, its runs and its graph. */
@Timeout(60)
class WatchBatchTest {

  private static final String ENDED =
      """
      "ended_at": "2026-03-01T12:00:00Z", "runs": [{"run": 0, "outcome": "success"}]""";
  private static final String UNDECIDED =
      """
      "ended_at": "2026-03-01T12:00:00Z", "runs": [{"run": 0, "outcome": null}]""";
  private static final String POLICY = "\"retry\": {\"preset\": \"queue\"}";

  private ScriptedServer server;

  @BeforeEach
  void start() throws IOException {
    server = new ScriptedServer().on("GET /task", "[]");
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static String batch(int run, int tasks, String counts, String... more) {
    return """
        {"batch_id": "%s", "name": "nightly", "run": %d, "total_tasks": %d, "status_counts": {%s},
         "created_at": "2026-03-01T11:00:00Z", "last_updated": "2026-03-01T11:00:00Z"%s}"""
        .formatted(ID, run, tasks, counts, more.length == 0 ? "" : ", " + String.join(", ", more));
  }

  private void states(String... batches) {
    server.on("GET /batch/" + ID, batches);
  }

  private CliResult watch(TestCli shell, String... options) {
    String[] args = {"watch", ID, "--every", "1ms", "--color=never"};
    return shell.run(
        IntStream.range(0, args.length + options.length)
            .mapToObj(i -> i < args.length ? args[i] : options[i - args.length])
            .toArray(String[]::new));
  }

  @Test
  void prints_exact_counts_beyond_the_limit_of_lists() {
    states(
        batch(0, 30_000, "\"success\": 20000, \"running\": 10000"),
        batch(0, 30_000, "\"success\": 30000", ENDED));

    CliResult result = watch(server.shell());

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.lines())
        .containsExactly(
            "20,000 of 30,000 ended: 20,000 Success, 10,000 Running",
            "30,000 of 30,000 ended: 30,000 Success");
  }

  @Test
  void fails_when_a_task_failed_or_was_canceled() {
    states(batch(0, 2, "\"success\": 1, \"failure\": 1", ENDED));
    assertThat(watch(server.shell()).code()).isEqualTo(1);
  }

  @Nested
  class OfABatchThatRunsAgain {

    @BeforeEach
    void script() {
      states(
          batch(0, 2, "\"success\": 1, \"running\": 1", POLICY),
          batch(0, 2, "\"success\": 1, \"failure\": 1", POLICY, UNDECIDED),
          batch(
              0,
              2,
              "\"success\": 1, \"failure\": 1",
              POLICY,
              ENDED,
              "\"next_run_at\": \"2026-03-01T12:05:00Z\""),
          batch(1, 2, "\"success\": 1, \"running\": 1", POLICY),
          batch(1, 2, "\"success\": 2", POLICY, ENDED));
    }

    @Test
    void follows_the_new_run_and_exits_with_its_outcome() {
      CliResult result = watch(server.shell());

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.lines())
          .containsExactly(
              "1 of 2 ended: 1 Success, 1 Running",
              "2 of 2 ended: 1 Success, 1 Failure",
              "2 of 2 ended: 1 Success, 1 Failure; it runs again at 2026-03-01T12:05:00.000Z",
              "run 1: 1 of 2 ended: 1 Success, 1 Running",
              "run 1: 2 of 2 ended: 2 Success");
    }

    @Test
    void names_the_run_in_json() {
      assertThat(watch(server.shell(), "--json").json())
          .extracting((JsonNode line) -> line.get("run").intValue())
          .containsExactly(0, 0, 1, 1);
    }

    @Test
    void says_on_a_terminal_when_it_runs_again() {
      server.on("GET /dag/" + ID, "{\"tasks\": [], \"links\": []}");

      assertThat(watch(server.shell().terminal(80)).out())
          .contains("it runs again in 5m", "batch %s, run 1: nightly\n".formatted(ID));
    }
  }

  @Nested
  class WithDependencies {

    private static String id(int number) {
      return "01a1e30e-3e59-7%03x-8b70-f424cbaca000".formatted(number);
    }

    private static String link(int parent, int child) {
      return "{\"parent_id\": \"%s\", \"child_id\": \"%s\"}".formatted(id(parent), id(child));
    }

    private static String graph(String first, String second, String... links) {
      return "{\"tasks\": [%s, %s], \"links\": [%s]}"
          .formatted(
              task(id(1), "import", first), task(id(2), "report", second), String.join(",", links));
    }

    /** What stays on the screen at the end. */
    private static String screen(CliResult result) {
      String clear = "\u001B[J";
      return result.out().substring(result.out().lastIndexOf(clear) + clear.length());
    }

    @Test
    void redraws_the_graph() {
      states(batch(0, 2, "\"running\": 1, \"waiting\": 1"), batch(0, 2, "\"success\": 2", ENDED));
      server.on(
          "GET /dag/" + ID,
          graph("Running", "Waiting", link(1, 2)),
          graph("Success", "Success", link(1, 2)));

      CliResult result = watch(server.shell().terminal(80));

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.out()).contains("● import", "╰─· report");
      assertThat(screen(result))
          .startsWith("batch " + ID)
          .endsWith(
              """
              2 Success

              ✓ import    Success  e30e-3e59-7001  2m ago
              ╰─✓ report  Success  e30e-3e59-7002  2m ago
              """);
    }

    @Test
    void asks_for_the_graph_once_if_there_are_no_dependencies() {
      states(
          batch(0, 2, "\"pending\": 2"),
          batch(0, 2, "\"running\": 2"),
          batch(0, 2, "\"success\": 2", ENDED));
      server.on("GET /dag/" + ID, graph("Pending", "Pending"));

      watch(server.shell().terminal(80));

      assertThat(server.requests()).filteredOn(request -> request.contains("/dag/")).hasSize(1);
    }

    @Test
    void asks_for_no_graph_if_nobody_could_see_it() {
      states(batch(0, 2, "\"success\": 2", ENDED));

      watch(server.shell());
      watch(server.shell().terminal(80), "--json");

      assertThat(server.requests()).noneMatch(request -> request.contains("/dag/"));
    }

    @Test
    void asks_for_no_graph_of_very_many_tasks() {
      states(batch(0, 2_001, "\"success\": 2001", ENDED));

      assertThat(watch(server.shell().terminal(80)).code()).isZero();
      assertThat(server.requests()).noneMatch(request -> request.contains("/dag/"));
    }

    @Test
    void sums_up_a_large_graph_by_level_on_a_small_screen() {
      states(batch(0, 200, "\"success\": 200", ENDED));
      String tasks =
          IntStream.range(0, 200)
              .mapToObj(i -> task(id(i), "task " + i, "Success"))
              .collect(Collectors.joining(","));
      String links =
          IntStream.range(20, 200).mapToObj(i -> link(i - 20, i)).collect(Collectors.joining(","));
      server.on("GET /dag/" + ID, "{\"tasks\": [%s], \"links\": [%s]}".formatted(tasks, links));

      CliResult result = watch(server.shell().terminal(80));

      assertThat(result.lines())
          .contains("level 1   ████████████████████  20 Success")
          .hasSizeLessThan(24);
    }
  }
}

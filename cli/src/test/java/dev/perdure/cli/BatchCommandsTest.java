// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.ServerCommandFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** The commands for batches and graphs, and what they send. */
@Timeout(60)
class BatchCommandsTest {

  static final String ID = "01a1e30e-3e59-7000-afdc-7bcf7863f000";
  private static final String SHORT = "e30e-3e59-7000";
  private static final String TASK = "01a1e30e-3e59-7001-8b70-f424cbaca000";
  private static final String OTHER = "01a1e30e-3e59-7002-8b70-f424cbaca000";

  private static final String ROW =
      """
      {"batch_id": "ID", "name": "nightly import of everything", "run": 1, "total_tasks": 1200,
       "status_counts": {"success": 600, "failure": 12, "running": 88, "waiting": 500},
       "kinds": ["import", "report"], "created_at": "2026-03-01T10:55:00Z",
       "last_updated": "2026-03-01T12:00:00Z", "ended_at": null}"""
          .replace("ID", ID)
          .replace("\n", "");

  private ScriptedServer server;

  @BeforeEach
  void start() throws IOException {
    server = new ScriptedServer().on("GET /batches", "[" + ROW + "]");
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private CliResult run(String... args) {
    return server.shell().run(args);
  }

  private CliResult at80(String... args) {
    return server.shell().environment("COLUMNS", "80").run(args);
  }

  static String task(String id, String name, String status, String... more) {
    return """
        {"id": "ID", "batch_id": "BATCH", "run": 1, "name": "NAME", "kind": "a",
         "status": "STATUS", "attempt": 0, "epoch": 0, "priority": 0, "paused": false,
         "losses": 0, "created_at": "NOW", "run_at": "NOW", "last_updated": "NOW"MORE}"""
        .replace("ID", id)
        .replace("BATCH", ID)
        .replace("NAME", name)
        .replace("STATUS", status)
        .replace("NOW", "2026-03-01T11:58:00Z")
        .replace("MORE", String.join("", more));
  }

  @Nested
  class Listing {

    @Test
    void shows_progress_and_counts_at_80_columns() {
      assertThat(at80("batches").out())
          .isEqualTo(
              """
              id              name              run  progress    tasks  failed  live    age
              e30e-3e59-7000  nightly import …    1  █████░░░░░  1,200      12   588  1h 5m
              """);
    }

    @Test
    void filters() {
      run(
          "batches",
          "--name",
          "night",
          "--kind",
          "import",
          "--status",
          "Failure",
          "--state",
          "live",
          "--created-after",
          "2026-01-01T00:00:00Z",
          "--created-before",
          "2027-01-01T00:00:00Z",
          "--limit",
          "7");

      assertThat(server.requests())
          .containsExactly(
              "GET /batches?name=night&kind=import&status=Failure&state=live"
                  + "&created_after=2026-01-01T00%3A00%3A00Z&created_before=2027-01-01T00%3A00%3A00Z"
                  + "&page_size=7");
    }

    @Test
    void is_json_for_programs() {
      assertThat(run("batches", "--json").json())
          .containsExactly(JsonMapper.shared().readTree(ROW));
    }

    @Test
    void cuts_nothing_where_the_output_is_no_terminal() {
      assertThat(run("batches").out())
          .contains(ID, "nightly import of everything", "import, report");
    }

    @Test
    void may_be_empty() throws IOException {
      try (ScriptedServer empty = new ScriptedServer().on("GET /batches", "[]")) {
        assertThat(empty.shell().run("batches").out()).isEqualTo("No batches.\n");
      }
    }
  }

  @Nested
  class Show {

    private static final String BATCH =
        """
        {"batch_id": "ID", "name": "nightly", "run": 1,
         "runs": [{"run": 0, "started_at": "2026-03-01T11:00:00Z",
                   "ended_at": "2026-03-01T11:02:00Z", "outcome": "failure",
                   "failure": {"kind": "http", "status": 503, "message": "the shop is down"}},
                  {"run": 1, "started_at": "2026-03-01T11:58:00Z"}],
         "next_run_at": null, "total_tasks": 3,
         "status_counts": {"success": 1, "failure": 1, "waiting": 1},
         "total_success": 7, "total_failures": 1, "total_expected": 20, "progress": 0.4,
         "created_at": "2026-03-01T11:00:00Z", "last_updated": "2026-03-01T11:59:00Z",
         "ended_at": null, "stopped_at": null, "retry": {"preset": "queue"}, "context": {"day": 7}}"""
            .replace("ID", ID);

    @BeforeEach
    void script() {
      server
          .on("GET /batch/" + ID, BATCH)
          .on(
              "GET /dag/" + ID,
              "{\"tasks\": [%s, %s, %s], \"links\": [%s, %s]}"
                  .formatted(
                      task(TASK, "import", "Success", ", \"ended_at\": \"2026-03-01T11:59:00Z\""),
                      task(
                          OTHER,
                          "check",
                          "Failure",
                          ", \"ended_at\": \"2026-03-01T11:59:30Z\", \"failure_kind\": \"exception\"",
                          ", \"failure_reason\": \"12 rows have no customer\""),
                      task("01a1e30e-3e59-7003-8b70-f424cbaca000", "report", "Waiting"),
                      "{\"parent_id\": \"%s\", \"child_id\": \"%s\"}".formatted(TASK, OTHER),
                      "{\"parent_id\": \"%s\", \"child_id\": \"%s\"}"
                          .formatted(OTHER, "01a1e30e-3e59-7003-8b70-f424cbaca000")));
    }

    @Test
    void prints_statistics_runs_graph_and_failures() {
      assertThat(at80("batch", SHORT).out())
          .isEqualTo(
              """
              batch 01a1e30e-3e59-7000-afdc-7bcf7863f000 is live
              █████████████░░░░░░░  66 %  1 Success  1 Failure  1 Waiting

              name         nightly
              run          1
              items        7 succeeded, 1 failed of 20
              created      2026-03-01T11:00:00.000Z (1h ago)
              retry        {"preset":"queue"}
              context      {"day":7}

              runs
              run  outcome  started  took  failure
                0  failure  1h ago     2m  http 503: the shop is down
                1           2m ago

              ✓ import      Success  e30e-3e59-7001  1m ago
              ╰─✗ check     Failure  e30e-3e59-7002  30s ago
                ╰─· report  Waiting  e30e-3e59-7003

              failed          task   reason
              e30e-3e59-7002  check  exception: 12 rows have no customer
              """);
    }

    @Test
    void is_the_servers_json_for_programs() {
      assertThat(run("batch", ID, "--json").json())
          .containsExactly(JsonMapper.shared().readTree(BATCH));
    }

    @Test
    void draws_no_graph_of_very_many_tasks() throws IOException {
      try (ScriptedServer large =
          new ScriptedServer()
              .on(
                  "GET /batch/" + ID,
                  BATCH.replace("\"total_tasks\": 3", "\"total_tasks\": 10001"))) {
        assertThat(large.shell().run("batch", ID).lines())
            .contains(
                "10,001 tasks are too many to draw; list them with: perdure tasks --batch "
                    + SHORT);
      }
    }
  }

  @Test
  void a_graph_that_the_server_cut_is_marked() {
    server
        .on("GET /batch/" + ID, ROW)
        .on(
            "GET /dag/" + ID,
            "{\"tasks\": [%s], \"links\": [], \"truncated\": true}"
                .formatted(task(TASK, "import", "Success")));

    assertThat(run("batch", ID).out())
        .contains("✓ import")
        .endsWith("The server left out some tasks or dependencies, because there are too many.\n");
  }

  @Test
  void stop_says_what_was_canceled() {
    server.on(
        "DELETE /batch/" + ID,
        "{\"batch_id\": \"%s\", \"canceled_waiting\": 2, \"canceled_running\": 1, \"already_terminal\": 4}"
            .formatted(ID));

    assertThat(run("batch", "stop", SHORT).out())
        .isEqualTo(
            "batch %s: 3 tasks canceled (2 Waiting, 1 Running), 4 had already ended\n"
                .formatted(ID));
    assertThat(
            run("batch", "stop", ID, "--json").json().getFirst().get("already_terminal").intValue())
        .isEqualTo(4);
  }

  @Test
  void retry_runs_failed_tasks_again() {
    server.on(
        "POST /batch/%s/retry".formatted(ID),
        "{\"batch_id\": \"%s\", \"run\": 0, \"revived\": 3, \"next_run_at\": null}".formatted(ID));

    assertThat(run("batch", "retry", ID).out())
        .isEqualTo("batch %s: 3 tasks run again\n".formatted(ID));
    assertThat(server.requests()).containsExactly("POST /batch/%s/retry".formatted(ID));
  }

  @Test
  void retry_starts_a_new_run() {
    server.on(
        "POST /batch/%s/retry".formatted(ID),
        "{\"batch_id\": \"%s\", \"run\": 2, \"revived\": 9, \"next_run_at\": \"2026-03-01T12:05:00Z\"}"
            .formatted(ID));

    assertThat(run("batch", "retry", ID, "--new-run").out())
        .isEqualTo("batch %s: run 2 starts in 5m\n".formatted(ID));
    assertThat(server.requests())
        .containsExactly("POST /batch/%s/retry {\"run\":\"new\"}".formatted(ID));
  }

  @Test
  void retry_of_a_live_batch_is_a_negative_answer() {
    server.on(
        409,
        "POST /batch/%s/retry".formatted(ID),
        "{\"title\": \"Conflict\", \"detail\": \"the batch is live\"}");

    assertRefused(run("batch", "retry", ID), 1, "the batch is live");
  }

  @Test
  void resolve_marks_a_task_as_succeeded() {
    server
        .on("GET /task", "[%s]".formatted(task(TASK, "import", "Failure")))
        .on("POST /task/%s/resolve".formatted(TASK), task(TASK, "import", "Success"));

    assertThat(run("resolve", TASK.substring(4, 18), "--reason", "by hand").out())
        .startsWith("task %s is Success".formatted(TASK));
    run("resolve", TASK, "--reason", "by hand", "--result", "{\"rows\": 3}");
    assertThat(server.requests())
        .contains(
            "POST /task/%s/resolve {\"reason\":\"by hand\"}".formatted(TASK),
            "POST /task/%s/resolve {\"reason\":\"by hand\",\"result\":{\"rows\":3}}"
                .formatted(TASK));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "resolve T                        | missing required option: '--reason=TEXT'",
        "resolve T --reason x --result {  | --result: is not JSON",
        "resolve T --reason x --result 1] | --result: is not JSON",
        "resolve T --reason x --result=   | --result: must not be empty",
        "batch                            | ID: give the id of a batch",
        "batch stop                       | missing required parameter: 'ID'",
        "batch retry T --new              | unknown option '--new'"
      })
  void wrong_use_is_explained(String command, String message) {
    assertRefused(run(command.replace("T", TASK).split(" ", -1)), 2, message);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void a_task_can_be_retried_although_its_parent_failed() {
    server.on("POST /task/%s/retry".formatted(TASK), task(TASK, "report", "Pending"));

    run("retry", TASK, "--ignore-dependencies");

    assertThat(server.requests())
        .containsExactly("POST /task/%s/retry {\"ignore_dependencies\":true}".formatted(TASK));
  }

  @Nested
  class Ids {

    @Test
    void may_be_short() {
      server
          .on("GET /task", "[]")
          .on("POST /task/bulk", "{\"matched\":0,\"changed\":0,\"skipped\":0}");

      run("tasks", "--batch", SHORT);
      run("bulk", "cancel", "--batch", SHORT);

      assertThat(server.requests())
          .contains(
              "GET /task?batch_id=%s&page_size=50".formatted(ID),
              "POST /task/bulk {\"action\":\"cancel\",\"dry_run\":false,\"filter\":{\"batch_id\":\"%s\"}}"
                  .formatted(ID));
    }

    @ParameterizedTest
    @CsvSource(
        quoteCharacter = '"',
        value = {
          "x, 'x' is not a batch id",
          "../key, '../key' is not a batch id",
          "0000-0000-7000, there is no batch 0000-0000-7000"
        })
    void that_are_none_are_reported(String id, String message) {
      assertRefused(run("batch", id), 1, message);
      assertRefused(run("batch", "stop", id), 1, message);
      assertRefused(run("batch", "retry", id), 1, message);
      assertRefused(run("watch", id), 1, message);
    }
  }
}

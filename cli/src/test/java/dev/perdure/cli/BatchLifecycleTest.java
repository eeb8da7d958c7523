// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Graphs from their submission to their end, with the commands only, on a real server. */
@Timeout(120)
class BatchLifecycleTest extends ServerCommandFixture {

  private static final String SUCCESS = "\"status\": \"Success\"";
  private static final String FAILURE = "\"status\": \"Failure\", \"failure_reason\": \"no file\"";

  private static final String GRAPH =
      """
      {"name": "Nightly", "tasks": [
        {"kind": "job", "id": "import"},
        {"kind": "job", "id": "report", "dependencies": [{"id": "import"}]},
        {"kind": "job", "id": "mail", "dependencies": [{"id": "report", "requires_success": false}]}]%s}""";

  private TestApiClient client;

  @BeforeEach
  void connect() {
    client = new TestApiClient(server);
  }

  /** Submits the graph with more fields and returns the id of the batch. */
  private String submit(String fields) {
    CliResult submitted = shell().stdin(GRAPH.formatted(fields)).run("submit", "-", "--json");
    assertThat(submitted.code()).as(submitted.err()).isZero();
    return submitted.json().getFirst().get("batch_id").stringValue();
  }

  private String submit() {
    return submit("");
  }

  private JsonNode batch(String id) {
    return run("batch", id, "--json").json().getFirst();
  }

  private String task(String batch, String localId) {
    return run("tasks", "--batch", batch, "--json").json().stream()
        .filter(task -> task.get("local_id").stringValue().equals(localId))
        .map(task -> task.get("id").stringValue())
        .findFirst()
        .orElseThrow();
  }

  /** Ends the tasks one after another, each as soon as it can start. */
  private void settle(String... outcomes) throws IOException {
    for (String outcome : outcomes) {
      client.settleOne(outcome);
    }
  }

  /** The drawing without ids and times. */
  private Stream<String> drawing(String batch) {
    return run("batch", batch).lines().stream()
        .filter(line -> line.matches("[ ╰├│─╌]*[^ ] (import|report|mail) .*"))
        .map(line -> line.replaceAll("  +[0-9a-f-]{36}.*", "").replaceAll(" {2,}", "  "));
  }

  @Test
  void a_graph_succeeds() throws IOException {
    CliResult submitted = shell().stdin(GRAPH.formatted("")).run("submit", "-");
    assertThat(submitted.out())
        .containsPattern("batch [0-9a-f-]{36}: 3 tasks\n")
        .containsPattern("Follow it with: perdure watch [0-9a-f-]{36}\n");
    String batch = submitted.out().substring("batch ".length(), "batch ".length() + 36);
    assertThat(drawing(batch))
        .containsExactly("○ import  Pending", "╰─· report  Waiting", "  ╰╌· mail  Waiting");

    settle(SUCCESS, SUCCESS, SUCCESS);

    assertThat(run("watch", batch).out()).isEqualTo("3 of 3 ended: 3 Success\n");
    assertThat(run("batches").lines().get(1)).contains(batch, "Nightly", "██████████");
    assertThat(run("batches", "--state", "live").out()).isEqualTo("No batches.\n");
    assertThat(run("batches", "--state", "ended", "--json").json())
        .extracting(row -> row.get("batch_id").stringValue())
        .containsExactly(batch);
  }

  @Test
  void a_failure_goes_down_and_a_retry_brings_the_tasks_back() throws IOException {
    String batch = submit();
    settle(FAILURE);
    // Only a batch that has ended can be retried: the mail goes out although the report failed.
    CliResult tooEarly = run("batch", "retry", batch);
    assertRefused(tooEarly, 1, "has tasks that have not ended", "stop the batch");
    settle(SUCCESS);

    CliResult watched = run("watch", batch);
    assertThat(watched.code()).isEqualTo(1);
    assertThat(watched.out()).isEqualTo("3 of 3 ended: 1 Success, 2 Failure\n");
    assertThat(drawing(batch))
        .containsExactly("✗ import  Failure", "╰─✗ report  Failure", "  ╰╌✓ mail  Success");
    assertThat(run("batch", batch).lines().getLast())
        .startsWith(task(batch, "import"))
        .endsWith("explicit: no file");

    assertThat(run("batch", "retry", batch).out())
        .isEqualTo("batch %s: 1 task runs again\n".formatted(batch));
    settle(SUCCESS, SUCCESS);
    assertThat(run("watch", batch).code()).isZero();
  }

  @Test
  void a_task_behind_a_failure_is_retried_only_on_purpose() throws Exception {
    String batch = submit();
    settle(FAILURE, SUCCESS);
    String report = task(batch, "report");

    assertRefused(
        run("retry", report), 1, "it depends on import (%s)".formatted(task(batch, "import")));
    assertThat(run("retry", report, "--ignore-dependencies").out())
        .startsWith("task %s is Pending".formatted(report));
  }

  @Test
  void a_batch_whose_tasks_no_worker_claims_says_so() {
    CliResult submitted =
        shell()
            .stdin("{\"kind\": \"mail\", \"run_at\": \"2020-01-01T00:00:00Z\"}")
            .run("submit", "-", "--json");
    String batch = submitted.json().getFirst().get("batch_id").stringValue();

    assertThat(run("batch", batch).lines().getLast())
        .startsWith("No worker has claimed mail for more than 10s.");
  }

  @Test
  void a_waiting_task_shows_what_it_waits_for() {
    String batch = submit();
    String mail = task(batch, "mail");

    CliResult shown = run("show", mail);

    assertThat(shown.lines().getFirst()).isEqualTo("task %s is Waiting".formatted(mail));
    assertThat(shown.lines().getLast())
        .isEqualTo("%s  Waiting  any outcome  report".formatted(task(batch, "report")));
    assertThat(run("tasks", "--status", "Waiting").lines().get(1)).doesNotContain("now");
  }

  @Test
  void a_failed_task_that_was_done_by_hand_lets_the_others_go_on() throws IOException {
    String batch = submit();
    String failed = task(batch, "import");
    assertRefused(run("resolve", failed, "--reason", "why not"), 1, "Pending");
    settle(FAILURE, SUCCESS);

    CliResult resolved =
        run("resolve", failed, "--reason", "by hand", "--result", "{\"rows\": 7}", "--json");
    assertThat(resolved.json().getFirst().get("status").stringValue()).isEqualTo("Success");
    assertThat(resolved.json().getFirst().get("result")).hasToString("{\"rows\":7}");
    settle(SUCCESS);

    assertThat(run("watch", batch).code()).isZero();
    assertThat(run("audit", "--subject", failed).out()).contains("resolve");
  }

  @Nested
  class Stopping {

    @Test
    void cancels_what_has_not_ended_and_can_be_repeated() {
      String batch = submit();

      CliResult stopped = run("batch", "stop", batch);
      assertThat(stopped.code()).as(stopped.err()).isZero();
      assertThat(stopped.out())
          .isEqualTo(
              "batch %s: 3 tasks canceled (2 Waiting, 1 Pending), 0 had already ended\n"
                  .formatted(batch));
      CliResult again = run("batch", "stop", batch);
      assertThat(again.code()).isZero();
      assertThat(again.out())
          .isEqualTo("batch %s: 0 tasks canceled, 3 had already ended\n".formatted(batch));
      assertThat(run("watch", batch).code()).isEqualTo(1);
      assertThat(run("batch", batch).out()).contains("stopped      ");
    }

    @Test
    void is_json_for_programs() {
      JsonNode stopped = run("batch", "stop", submit(), "--json").json().getFirst();

      assertThat(stopped.get("canceled_waiting").intValue()).isEqualTo(2);
      assertThat(stopped.get("already_terminal").intValue()).isZero();
    }

    @Test
    void leaves_nothing_to_retry_but_a_new_run() {
      String batch = submit();
      run("batch", "stop", batch);

      assertRefused(run("batch", "retry", batch), 1, "has no failed task");
      assertThat(run("batch", "retry", batch, "--new-run").code()).isZero();
    }
  }

  @Nested
  class RunningAgain {

    private static final String POLICY =
        """
        , "retry": {"max_retries": 1, "backoff": {"type": "fixed", "delay": "%s"}}""";

    @Test
    void by_hand() throws Exception {
      String batch = submit();
      String first = task(batch, "import");
      assertRefused(run("batch", "retry", batch, "--new-run"), 1, "have not ended");
      settle(SUCCESS, SUCCESS, SUCCESS);

      assertThat(run("batch", "retry", batch, "--new-run").out())
          .matches("batch %s: run 1 starts (now|in \\d+s)\n".formatted(batch));
      settle(SUCCESS, SUCCESS, SUCCESS);
      Eventually.await(() -> batch(batch), shown -> shown.get("run").intValue() == 1);

      assertThat(run("watch", batch).out()).isEqualTo("run 1: 3 of 3 ended: 3 Success\n");
      assertThat(task(batch, "import")).isNotEqualTo(first);
      assertThat(run("batch", batch).out()).contains("\nrun          1\n", "\nruns\n");
    }

    @Test
    void is_followed_until_the_policy_has_decided() throws Exception {
      String batch = submit(POLICY.formatted("300ms"));
      CompletableFuture<Void> worker =
          CompletableFuture.runAsync(
              () -> {
                try {
                  settle(FAILURE, SUCCESS, SUCCESS, SUCCESS, SUCCESS);
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });

      CliResult watched = run("watch", batch, "--every", "5ms");

      worker.get();
      assertThat(watched.code()).as(watched.out()).isZero();
      assertThat(watched.lines()).last().isEqualTo("run 1: 3 of 3 ended: 3 Success");
    }

    @Test
    void later_is_announced() throws Exception {
      String batch = submit(POLICY.formatted("1h"));
      settle(FAILURE, SUCCESS);
      Eventually.await(() -> batch(batch), shown -> shown.hasNonNull("next_run_at"));

      assertThat(run("batch", batch).lines().getFirst())
          .matches("batch %s runs again in .*".formatted(batch));
      assertThat(run("batches").lines().getFirst()).contains("next run");
      assertThat(run("watch", batch, "--timeout", "10ms").err()).contains("timed out");
    }
  }

  @Nested
  class Ids {

    @ParameterizedTest
    @ValueSource(strings = {"batch", "batch stop", "batch retry", "batch retry --new-run", "watch"})
    void of_no_batch_are_reported(String command) {
      submit();
      String[] args = (command + " " + TestApiClient.UNKNOWN_ID).split(" ", -1);

      assertRefused(run(args), 1, "there is no batch " + TestApiClient.UNKNOWN_ID);
      String[] json = (command + " --json " + TestApiClient.UNKNOWN_ID).split(" ", -1);
      assertThat(run(json).code()).isEqualTo(1);
      assertThat(run(json).errors().get(0).get("message").stringValue())
          .contains("there is no batch");
    }

    @Test
    void of_no_task_are_reported() {
      submit();
      assertRefused(
          run("resolve", TestApiClient.UNKNOWN_ID, "--reason", "x"), 1, "there is no task");
    }

    @Test
    void that_are_short_must_tell_batches_apart() {
      String first = submit();
      String second = submit();
      while (!second.startsWith(first.substring(0, 8))) {
        // The beginning is a time, and it has just changed.
        first = second;
        second = submit();
      }

      assertRefused(run("batch", "stop", first.substring(0, 8)), 2, "is not enough", first, second);
      assertThat(run("batch", "stop", second.substring(4, 18)).out()).contains(second);
      assertThat(batch(first).get("stopped_at").isNull()).isTrue();
    }
  }

  @Test
  void errors_in_a_graph_name_the_place_in_the_file() {
    CliResult refused =
        shell()
            .stdin(
                """
                {"tasks": [{"kind": "k", "id": "a", "dependencies": [{"id": "b"}]},
                           {"kind": "k", "id": "b", "dependencies": [{"id": "a"}]}]}""")
            .run("submit", "-");

    assertRefused(refused, 2, "tasks[1].dependencies[0].id: is part of a cycle: a → b → a");
    assertThat(run("batches").out()).isEqualTo("No batches.\n");
  }
}

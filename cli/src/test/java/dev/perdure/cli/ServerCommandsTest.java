// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The commands that call a server, each against a real one. */
class ServerCommandsTest extends ServerCommandFixture {

  private static final String NO_TASK = "00000000-0000-7000-8000-000000000000";

  private JsonNode submitted(String task) {
    return shell().stdin(task).run("submit", "-", "--json").json().getFirst();
  }

  private String id(String task) {
    return submitted(task).get("id").stringValue();
  }

  @Nested
  class Tasks {

    @Test
    void are_listed_in_a_table_that_fits() {
      submitted(
          "{\"kind\": \"send-email\", \"name\": \"to Ada, who waits for it since yesterday\","
              + " \"retry\": {\"max_retries\": 3}}");
      for (int width : List.of(60, 80, 100, 160)) {
        CliResult result = shell().environment("COLUMNS", Integer.toString(width)).run("tasks");
        assertThat(result.code()).isZero();
        assertThat(result.lines().get(0)).startsWith("id ").contains("status", "name");
        assertThat(result.lines().get(1)).contains("Pending");
        assertThat(result.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= width);
      }
      assertThat(shell().environment("COLUMNS", "160").run("tasks").out())
          .contains("to Ada, who waits for it since", "retries left");
      assertThat(shell().environment("COLUMNS", "100").run("tasks").out()).contains("to Ada", "…");
      assertThat(shell().environment("COLUMNS", "80").run("tasks").out()).contains("to Ada", "…");
    }

    @Test
    void are_filtered_by_the_server() {
      id("{\"kind\": \"a\"}");
      String canceled = id("{\"kind\": \"ab\", \"name\": \"x y\"}");
      run("cancel", canceled);

      assertThat(run("tasks", "--status", "canceled", "--json").json())
          .extracting(task -> task.get("id").stringValue())
          .containsExactly(canceled);
      assertThat(run("tasks", "--kind", "a", "--json").json()).hasSize(1);
      assertThat(run("tasks", "--name", "x y", "--json").json()).hasSize(1);
      String batch =
          run("show", canceled, "--json").json().getFirst().get("batch_id").stringValue();
      assertThat(run("tasks", "--batch", batch, "--json").json()).hasSize(1);
      assertThat(run("tasks", "--created-before", "2099-01-01T00:00:00Z", "--json").json())
          .hasSize(2);
      assertThat(run("tasks", "--created-before", "2020-01-01T00:00:00Z").out())
          .isEqualTo("No tasks.\n");
      assertThat(run("tasks", "--created-after", "2099-01-01T00:00:00Z").out())
          .isEqualTo("No tasks.\n");
      assertRefused(run("tasks", "--status", "cancelled"), 2, "did you mean 'Canceled'?");
      assertRefused(run("tasks", "--limit", "0"), 2, "--limit: must be a whole number");
    }

    @Test
    void are_filtered_by_how_they_failed() throws IOException {
      String failed = id("{\"kind\": \"a\"}");
      id("{\"kind\": \"a\"}");
      server.post("/task/claim", "{\"worker\": \"w\", \"kinds\": [\"a\"], \"limit\": 2}");
      server.send(
          "PATCH",
          "/task/" + failed,
          "{\"status\": \"Failure\", \"failure_reason\": \"no\", \"epoch\": 1}");

      assertThat(run("tasks", "--failure-kind", "explicit", "--json").json())
          .extracting(task -> task.get("id").stringValue())
          .containsExactly(failed);
      assertThat(run("tasks", "--failure-kind", "timeout", "--json").json()).isEmpty();
      String reason =
          run("show", failed, "--json").json().getFirst().get("give_up_reason").stringValue();
      assertThat(run("tasks", "--reason", reason, "--json").json()).hasSize(1);
      assertThat(run("tasks", "--reason", "expired", "--json").json()).isEmpty();
      assertThat(run("tasks", "--status", "Failure").lines().get(1)).containsPattern(" no +0$");
      assertThat(run("show", failed).out()).contains("attempt      0\n");
    }

    @Test
    void show_a_hint_when_no_worker_claims_them() {
      id("{\"kind\": \"mail\", \"run_at\": \"2020-01-01T00:00:00Z\"}");
      String later = id("{\"kind\": \"later\", \"run_at\": \"2099-01-01T00:00:00Z\"}");

      assertThat(run("tasks").out().replaceAll("\\s+", " "))
          .contains("No worker has claimed mail for more than 10s.", "remote-workers.md");
      assertThat(run("tasks", "--kind", "later").out()).doesNotContain("No worker");
      BrokenPipeStream reader = BrokenPipeStream.after(1, () -> run("cancel", later));
      assertThat(shell().runInto(reader, "watch", "--every", "20ms").err())
          .startsWith("perdure: No worker has claimed mail for more than 10s.");
    }

    @Test
    void are_fetched_page_by_page_up_to_the_limit() {
      String many =
          IntStream.range(0, 1_005)
              .mapToObj(i -> "{\"kind\": \"mail\"}")
              .collect(Collectors.joining(",", "[", "]"));
      shell().stdin(many).run("submit", "-");

      assertThat(run("tasks", "--limit", "1003", "--json").json())
          .extracting(task -> task.get("id").stringValue())
          .hasSize(1_003)
          .doesNotHaveDuplicates();
      assertThat(run("tasks").out()).endsWith("50 of 1,005 tasks; --limit shows more\n");
    }

    @Test
    void are_coloured_on_a_terminal_only() {
      id("{\"kind\": \"a\"}");

      assertThat(run("tasks").out()).doesNotContain("\u001B");
      assertThat(shell().terminal(80).run("tasks").out()).contains("\u001B[");
      assertThat(shell().terminal(80).environment("NO_COLOR", "1").run("tasks").out())
          .doesNotContain("\u001B");
    }

    @Test
    void cannot_send_control_characters_to_the_terminal() {
      id("{\"kind\": \"a\", \"name\": \"\\u001b[2Jgone\"}");

      assertThat(shell().environment("COLUMNS", "160").run("tasks").out())
          .doesNotContain("\u001B")
          .contains("?[2Jgone");
    }
  }

  @Nested
  class OneTask {

    @Test
    void is_shown() {
      String id =
          id(
              "{\"kind\": \"mail\", \"name\": \"to Ada\", \"payload\": {\"n\": 7},"
                  + " \"retry\": {\"max_retries\": 3}}");

      CliResult result = run("show", id);

      assertThat(result.code()).isZero();
      assertThat(result.lines().getFirst()).startsWith("task " + id + " is Pending");
      assertThat(result.out())
          .contains("kind         mail\n", "name         to Ada\n", "payload      {\"n\":7}\n")
          .contains("attempt      0, 3 retries left\n");
      assertThat(run("show", id, "--json").json().getFirst().get("id").stringValue()).isEqualTo(id);
    }

    @Test
    void is_shown_with_every_field_that_is_set() {
      String id =
          id(
              "{\"kind\": \"mail\", \"id\": \"mine\", \"run_at\": \"2099-01-01T00:00:00Z\","
                  + " \"on_failure\": [{\"kind\": \"Webhook\", \"params\":"
                  + " {\"url\": \"https://example.org/pager\", \"verb\": \"Post\"}}]}");

      assertThat(run("show", id).out())
          .contains("local id     mine\n", "due          2099-01-01T00:00:00.000Z (in ")
          .containsPattern("actions +\\{.*on_failure")
          .containsPattern("trace +[0-9a-f]{32}\n")
          .doesNotContain("losses", "parked");
    }

    @Test
    void is_found_by_the_short_id_that_the_list_shows() {
      String id = id("{\"kind\": \"mail\", \"name\": \"mine\"}");
      id("{\"kind\": \"mail\"}");
      String listed = shell().terminal(80).run("tasks", "--name", "mine", "--color=never").out();
      String shown = listed.lines().toList().get(1).split(" ", -1)[0];

      assertThat(id).contains(shown);
      assertThat(shown).hasSizeLessThan(15);
      assertThat(run("show", shown).out()).startsWith("task " + id + " is Pending");
      assertThat(run("show", shown.toUpperCase(Locale.ROOT)).out()).startsWith("task " + id);
      assertThat(run("show", id.substring(0, 20)).out()).startsWith("task " + id);
      assertThat(run("pause", shown).out()).startsWith("task " + id + " is Paused");
      assertThat(run("resume", shown).out()).startsWith("task " + id + " is Pending");
      assertThat(run("cancel", shown).out()).startsWith("task " + id + " is Canceled");
      assertThat(run("retry", shown).out()).startsWith("task " + id + " is Pending");
      assertRefused(run("show", "0000-0000-7000"), 1, "there is no task 0000-0000-7000");
    }

    @Test
    void is_not_guessed_when_several_ids_match() {
      String first = id("{\"kind\": \"mail\"}");
      String second = id("{\"kind\": \"mail\"}");
      String start = first.substring(0, 8);

      for (String command : List.of("show", "cancel", "retry")) {
        assertRefused(
            run(command, start),
            2,
            "ID: %s is not enough, because there are %s, %s: give more characters"
                .formatted(start, second, first));
      }
      assertThat(run("tasks", "--status", "Canceled", "--json").json()).isEmpty();
    }

    @Test
    void is_paused_resumed_canceled_and_retried() {
      String id = id("{\"kind\": \"mail\"}");

      assertThat(run("pause", id).out()).startsWith("task " + id + " is Paused");
      assertThat(run("resume", id).out()).startsWith("task " + id + " is Pending");
      assertThat(run("cancel", id).out()).startsWith("task " + id + " is Canceled");
      assertThat(run("cancel", id).code()).isZero();
      assertThat(run("retry", id).out()).startsWith("task " + id + " is Pending");
      assertThat(run("retry", id, "--at", "2099-01-01T00:00:00Z").out())
          .startsWith("task " + id + " is Pending, due in ");
      assertThat(run("cancel", id, "--json").json().getFirst().get("status").stringValue())
          .isEqualTo("Canceled");
    }

    @Test
    void that_has_ended_cannot_be_paused() {
      String id = id("{\"kind\": \"mail\"}");
      run("cancel", id);

      assertRefused(run("pause", id), 1, id);
      assertRefused(run("retry", id, "--at", "2099-01-01T00:00:00Z"), 1, "leave out 'at'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"show", "cancel", "pause", "resume", "retry"})
    void that_does_not_exist_is_reported_with_exit_code_1(String command) {
      assertRefused(run(command, NO_TASK), 1, "there is no task " + NO_TASK);
      assertRefused(run(command, "a b/c?d"), 1, "'a b/c?d' is not a task id");
      assertRefused(run(command), 2, "missing required parameter", "ID");
    }

    @Test
    void cannot_be_retried_at_an_invalid_time() {
      assertRefused(run("retry", id("{\"kind\": \"x\"}"), "--at", "soon"), 2, "at: ");
    }
  }

  @Nested
  class TheServer {

    @Test
    void that_cannot_be_reached_is_reported() throws IOException {
      int free;
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        free = socket.getLocalPort();
      }
      String url = "http://127.0.0.1:" + free;

      assertRefused(
          run("tasks", "--url", url),
          2,
          "cannot connect to " + url + "; start a server with 'perdure serve'");
      assertRefused(
          run("tasks", "--url", "http://no-such-host.invalid"),
          2,
          "the host of http://no-such-host.invalid is unknown; choose another server with --url");
    }

    @ParameterizedTest
    @CsvSource({
      "--url,http://h#x",
      "--url,http://h?x",
      "--url,ftp://x",
      "--url,127.0.0.1:8085",
      "--url,http://a b",
      "--url,''"
    })
    void needs_a_valid_url(String option, String value) {
      assertRefused(run("tasks", option, value), 2, "--url: must be like http://127.0.0.1:8085");
    }

    @Test
    void that_is_not_perdure_is_reported() throws IOException {
      try (ForeignServer other =
          new ForeignServer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")) {
        assertRefused(run("tasks", "--url", other.url()), 2, "is it a Perdure server?");
      }
      try (ForeignServer other =
          new ForeignServer("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 3\r\n\r\nbad")) {
        assertRefused(run("tasks", "--url", other.url()), 2, "answered 502");
      }
      try (ForeignServer other =
          new ForeignServer("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n[")) {
        assertRefused(run("tasks", "--url", other.url()), 2, "was lost");
      }
    }

    @Test
    void may_require_a_key() {
      String key = key("ops", "admin");
      String reader =
          shell()
              .environment("PERDURE_KEY", key)
              .run("key", "create", "eye", "--role", "read", "--json")
              .json()
              .getFirst()
              .get("key")
              .stringValue();

      assertRefused(run("tasks"), 2, "requires an API key", "(set it with --key or PERDURE_KEY)");
      assertRefused(run("tasks", "--key", key + "x"), 2, "API key is unknown");
      assertRefused(run("tasks", "--key", "a b"), 2, "--key: is not a key");
      assertThat(run("tasks", "--key", key).code()).isZero();
      assertThat(shell().environment("PERDURE_KEY", reader).run("tasks").code()).isZero();
      assertRefused(run("cancel", NO_TASK, "--key", reader), 2, "needs the role operate");
    }

    private String key(String name, String role) {
      CliResult result = run("key", "create", name, "--role", role, "--json");
      assertThat(result.code()).as(result.err()).isZero();
      return result.json().getFirst().get("key").stringValue();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Submitting tasks that depend on each other. */
class GraphSubmissionTest {

  /** Children first, to show that the order does not matter. */
  private static final String DIAMOND =
      """
      [{"kind": "k", "id": "report", "dependencies": [{"id": "left"}, {"id": "right", "requires_success": false}]},
       {"kind": "k", "id": "right", "dependencies": [{"id": "import"}]},
       {"kind": "k", "id": "left", "dependencies": [{"id": "import"}]},
       {"kind": "k", "id": "import", "dependencies": []},
       {"kind": "k", "id": "alone", "dependencies": null}]""";

  @TempDir private Path folder;
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.in(folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static List<String> localIds(RawResponse response) {
    return response.json().findValuesAsString("local_id");
  }

  @Test
  void responds_in_the_order_of_the_request() throws IOException {
    RawResponse created = server.post("/task", DIAMOND);

    assertThat(created.status()).as(created.body()).isEqualTo(201);
    assertThat(localIds(created)).containsExactly("report", "right", "left", "import", "alone");
    assertThat(created.json().findValuesAsString("status"))
        .containsExactly("Waiting", "Waiting", "Waiting", "Pending", "Pending");
  }

  @Test
  void a_repeated_submission_gets_the_same_order() throws IOException {
    List<String> key = List.of("Idempotency-Key: diamond");
    RawResponse first = RawHttpClient.request(server.port(), "POST", "/task", key, DIAMOND);
    RawResponse again = RawHttpClient.request(server.port(), "POST", "/task", key, DIAMOND);

    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().findValuesAsString("id"))
        .isEqualTo(first.json().findValuesAsString("id"));
    assertThat(localIds(again)).containsExactly("report", "right", "left", "import", "alone");
  }

  @Test
  void reports_every_problem_of_every_task() throws IOException {
    RawResponse refused =
        server.post(
            "/task",
            """
            [{"id": "a", "dependencies": [{"id": "a"}, {"id": "nope"}, 7]},
             {"kind": "k", "id": "b", "dependencies": [{"id": ""}, {"id": "a"}, {"id": "a"}]},
             {"kind": "k", "dependencies": [{"requires_success": 1, "id": "a"}, {"require_success": true}]},
             {"kind": "k", "dependencies": {"id": "a"}}]""");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().get("errors").findValuesAsString("path"))
        .containsExactlyInAnyOrder(
            "[0].kind",
            "[0].dependencies[0].id",
            "[0].dependencies[1].id",
            "[0].dependencies[2]",
            "[1].dependencies[0].id",
            "[1].dependencies[2].id",
            "[2].dependencies[0].requires_success",
            "[2].dependencies[1].id",
            "[2].dependencies[1].require_success",
            "[3].dependencies");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "{\"tasks\": %s}"})
  void spells_out_a_cycle(String form) throws IOException {
    RawResponse refused =
        server.post(
            "/task",
            form.formatted(
                """
                [{"kind": "k", "id": "a", "dependencies": [{"id": "c"}]},
                 {"kind": "k", "id": "b", "dependencies": [{"id": "a", "requires_success": false}]},
                 {"kind": "k", "id": "c", "dependencies": [{"id": "b"}]}]"""));

    assertThat(refused.status()).isEqualTo(400);
    JsonNode error = refused.json().get("errors").get(0);
    assertThat(error.get("path").stringValue()).endsWith("[1].dependencies[0].id");
    assertThat(error.get("message").stringValue())
        .contains("is part of a cycle: a → b → c → a; each runs before the next");
    assertThat(server.get("/task").header("X-Total-Count")).isEqualTo("0");
  }

  @Test
  void names_the_fields_of_tasks_that_do_not_exist() throws IOException {
    RawResponse refused =
        server.post(
            "/task",
            """
            {"tasks": [{"kind": "k"},
             {"kind": "k", "dependencies": [{"id": "%1$s", "requires_success": false}]}]}"""
                .formatted(TestApiClient.UNKNOWN_ID));

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    JsonNode error = refused.json().get("errors").get(0);
    assertThat(error.get("path").stringValue()).isEqualTo("tasks[1].dependencies[0].id");
    assertThat(error.get("message").stringValue())
        .isEqualTo("there is no task %s, or it was deleted".formatted(TestApiClient.UNKNOWN_ID));
    assertThat(server.get("/task").header("X-Total-Count")).isEqualTo("0");
  }

  @Test
  void a_task_can_depend_on_a_stored_task() throws IOException {
    String stored = server.post("/task", "{\"kind\": \"k\"}").json().get(0).get("id").stringValue();
    RawResponse created =
        server.post(
            "/task", "{\"kind\": \"k\", \"dependencies\": [{\"id\": \"%s\"}]}".formatted(stored));

    assertThat(created.status()).as(created.body()).isEqualTo(201);
    assertThat(created.json().get(0).get("status").stringValue()).isEqualTo("Waiting");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'name': ''             | name             | must have 1 to 255 characters",
        "'name': 7              | name             | must be a string",
        "'shard_key': ' '       | shard_key        | must have 1 to 255 characters",
        "'retry': 7             | retry            | must be",
        "'on_finished': {}      | on_finished      | must be an array",
        "'notify': []           | notify           | must have at least one entry",
        "'rules': [1]           | rules            | belongs to a task",
        "'dead_end_cancel': 'x' | dead_end_cancel  | must be true or false",
        "'dead_end_barrier': true | dead_end_barrier | belongs to a task: move it into one of the tasks",
        "'nmae': 'x'            | nmae             | did you mean 'name'",
      })
  void checks_the_fields_of_the_envelope(String field, String path, String message)
      throws IOException {
    RawResponse refused =
        server.post("/task", "{'tasks':[{'kind':'k'}],%s}".formatted(field).replace('\'', '"'));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().get("errors")).hasSize(1);
    JsonNode error = refused.json().get("errors").get(0);
    assertThat(error.get("path").stringValue()).isEqualTo(path);
    assertThat(error.get("message").stringValue()).contains(message);
  }

  @Test
  void a_context_has_at_most_64_kib() throws IOException {
    String body = "{\"tasks\": [{\"kind\": \"k\"}], \"context\": \"%s\"}";
    assertThat(server.post("/task", body.formatted("x".repeat((64 << 10) - 2))).status())
        .isEqualTo(201);

    RawResponse refused = server.post("/task", body.formatted("x".repeat((64 << 10) - 1)));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().get("errors").get(0).get("path").stringValue()).isEqualTo("context");
  }
}

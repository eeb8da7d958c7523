// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What the page of one task needs. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class TaskViewRoutesTest {

  private static final String LADDER =
      """
      {"backoff": {"type": "ladder", "steps": [{"count": 2, "delay": "1h"}, {"count": 0, "delay": "1d"}]},
       "jitter": "none", "max_retries": null}""";

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;

  TaskViewRoutesTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    server = database.server(folder, Map.of());
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private String submit(String task) throws IOException {
    return post("/task", task).json().get(0).get("id").stringValue();
  }

  private RawResponse post(String path, String body) throws IOException {
    RawResponse response = server.post(path, body);
    assertThat(response.status()).as(response.body()).isLessThan(300);
    return response;
  }

  /** Lets an attempt fail and makes the task due again, so that it can be claimed once more. */
  private void failOnce(String id, String kind, int epoch) throws IOException {
    post("/task/claim", "{\"worker\": \"w\", \"kinds\": [\"%s\"]}".formatted(kind));
    RawResponse failed =
        server.send(
            "PATCH",
            "/task/" + id,
            "{\"status\": \"Failure\", \"failure_reason\": \"no\", \"stack\": \"at %1$d\", \"epoch\": %1$d}"
                .formatted(epoch));
    assertThat(failed.status()).as(failed.body()).isEqualTo(200);
  }

  private JsonNode show(String id) throws IOException {
    return server.get("/task/" + id).json();
  }

  private static List<String> texts(JsonNode array) {
    return array.valueStream().map(JsonNode::stringValue).toList();
  }

  @Test
  void a_waiting_retry_says_where_it_is_and_what_can_be_done() throws IOException {
    String id = submit("{\"kind\": \"a\", \"retry\": %s}".formatted(LADDER));
    assertThat(show(id).get("place").isNull()).isTrue();
    for (int epoch = 1; epoch <= 3; epoch++) {
      failOnce(id, "a", epoch);
      if (epoch < 3) {
        post("/task/" + id + "/retry", "");
      }
    }

    JsonNode task = show(id);
    assertThat(task.get("now").stringValue()).isGreaterThan(task.get("created_at").stringValue());
    assertThat(task.get("place").toString())
        .isEqualTo("{\"step\":2,\"steps\":2,\"attempt\":1,\"of\":null}");
    assertThat(texts(task.get("allowed")))
        .containsExactly("retry_now", "retry_at", "pause", "cancel");
    assertThat(task.get("attempts_total").intValue()).isEqualTo(3);
    JsonNode row = server.get("/task").json().get(0);
    assertThat(row.get("allowed")).isEqualTo(task.get("allowed"));
    assertThat(row.get("place")).isEqualTo(task.get("place"));
    JsonNode retry = server.get("/retry").json().get(0);
    assertThat(retry.get("allowed")).isEqualTo(task.get("allowed"));
    assertThat(retry.get("place")).isEqualTo(task.get("place"));
  }

  @Test
  void a_waiting_retry_has_a_plan() throws IOException {
    String id = submit("{\"kind\": \"a\", \"retry\": [{\"count\": 2, \"delay_minutes\": 60}]}");
    failOnce(id, "a", 1);

    RawResponse response = server.get("/task/" + id + "/plan");
    assertThat(response.header("X-Now")).startsWith("20").endsWith("Z");
    JsonNode plan = response.json();
    assertThat(plan.get("policy").get("dialect").stringValue()).isEqualTo("ladder");
    assertThat(plan.get("policy").get("words").get(0).stringValue())
        .isEqualTo("retries: 2 retries every hour");
    assertThat(texts(plan.get("why")))
        .containsExactly(
            "Every failure is retried.",
            "Retry 1 of 2: after 1 hour.",
            "It drew 1 hour. No Retry-After changed that.");
    assertThat(plan.get("coming")).hasSize(2);
    JsonNode next = plan.get("coming").get(0);
    assertThat(next.get("at")).isEqualTo(show(id).get("next_retry_at"));
    assertThat(next.get("drawn").booleanValue()).isTrue();
    assertThat(next.get("step").intValue()).isEqualTo(1);
    assertThat(plan.get("end").get("reason").stringValue()).isEqualTo("exhausted");
    assertThat(plan.get("end").get("after_attempt").intValue()).isEqualTo(2);
    assertThat(plan.get("more").booleanValue()).isFalse();
  }

  @Test
  void a_key_that_only_reads_is_offered_nothing() throws IOException {
    String id = submit("{\"kind\": \"a\"}");
    String admin = key("", "admin");
    String reader = key(admin, "read");
    String operator = key(admin, "operate");

    JsonNode shown = server.request(reader, "GET", "/task/" + id, "").json();
    assertThat(shown.get("allowed")).isEmpty();
    JsonNode row = server.request(reader, "GET", "/task", "").json().get(0);
    assertThat(row.get("allowed")).isEmpty();
    server.request(admin, "POST", "/task/claim", "{\"worker\": \"w\", \"kinds\": [\"a\"]}");
    assertThat(texts(server.request(operator, "GET", "/task/" + id, "").json().get("allowed")))
        .containsExactly("pause", "cancel");
    assertThat(texts(server.request(admin, "GET", "/task/" + id, "").json().get("allowed")))
        .containsExactly("pause", "cancel", "settle");
  }

  private String key(String with, String role) throws IOException {
    String body = "{\"name\": \"%1$s\", \"roles\": [\"%1$s\"]}".formatted(role);
    RawResponse made =
        with.isEmpty() ? server.post("/key", body) : server.request(with, "POST", "/key", body);
    return made.json().get("key").stringValue();
  }

  @Test
  void a_failed_task_of_an_earlier_run_cannot_be_revived() throws Exception {
    String id = submit("{\"kind\": \"a\"}");
    failOnce(id, "a", 1);
    assertThat(texts(show(id).get("allowed"))).containsExactly("revive", "resolve");

    post("/batch/" + show(id).get("batch_id").stringValue() + "/retry", "{\"run\": \"new\"}");

    Eventually.await(() -> show(id).get("allowed"), JsonNode::isEmpty);
    assertThat(server.post("/task/" + id + "/retry", "").status()).isEqualTo(409);
  }

  @Test
  void it_counts_what_it_depends_on_and_what_depends_on_it() throws IOException {
    JsonNode tasks =
        post(
                "/task",
                """
                [{"kind": "a", "id": "a"}, {"kind": "a", "id": "b", "dependencies": [{"id": "a"}]},
                 {"kind": "a", "id": "c", "dependencies": [{"id": "a"}, {"id": "b"}]}]""")
            .json();

    JsonNode last = show(tasks.get(2).get("id").stringValue());
    assertThat(last.get("depends_on").toString()).isEqualTo("{\"count\":2,\"unmet\":2}");
    assertThat(last.get("needed_by").intValue()).isZero();
    assertThat(last.get("schedule_id").isNull()).isTrue();
    assertThat(show(tasks.get(0).get("id").stringValue()).get("needed_by").intValue()).isEqualTo(2);
  }

  @Test
  void a_task_names_its_schedule() throws IOException {
    JsonNode schedule =
        post(
                "/schedule",
                "{\"name\": \"s\", \"trigger\": {\"every\": \"1h\"}, \"task\": {\"kind\": \"a\"}}")
            .json();
    String task = post("/schedule/s/trigger", "").json().get("task").stringValue();

    assertThat(show(task).get("schedule_id")).isEqualTo(schedule.get("id"));
  }

  @Test
  void attempts_are_paged_without_stacks_and_one_attempt_has_everything() throws IOException {
    String id = submit("{\"kind\": \"a\", \"retry\": %s}".formatted(LADDER));
    for (int epoch = 1; epoch <= 3; epoch++) {
      failOnce(id, "a", epoch);
      post("/task/" + id + "/retry", "");
    }

    JsonNode shown = show(id).get("attempts");
    assertThat(shown.valueStream().map(one -> one.get("epoch").intValue()))
        .containsExactly(1, 2, 3);
    assertThat(shown.get(0).has("stack")).isFalse();
    assertThat(shown.get(0).get("has_stack").booleanValue()).isTrue();
    RawResponse page = server.get("/task/" + id + "/attempt?page_size=2");
    assertThat(page.json().valueStream().map(one -> one.get("epoch").intValue()))
        .containsExactly(3, 2);
    String next = "/task/%s/attempt?page_size=2&before=2".formatted(id);
    assertThat(page.header("Link")).isEqualTo("<" + next + ">; rel=\"next\"");
    RawResponse rest = server.get(next);
    assertThat(rest.json()).hasSize(1);
    assertThat(rest.header("Link")).isEmpty();
    JsonNode one = server.get("/task/" + id + "/attempt/2").json();
    assertThat(one.get("stack").stringValue()).isEqualTo("at 2");
    assertThat(server.get("/task/" + id + "/attempt/9").status()).isEqualTo(404);
    assertThat(server.get("/task/" + id + "/attempt/x").status()).isEqualTo(404);
    JsonNode problem = server.get("/task/" + id + "/attempt?before=x").json();
    assertThat(problem.get("errors").get(0).get("path").stringValue()).isEqualTo("before");
  }
}

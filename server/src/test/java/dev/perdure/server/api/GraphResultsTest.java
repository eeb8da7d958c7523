// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What tasks learn about the tasks that they depend on, and about their batch. */
class GraphResultsTest {

  @TempDir private Path folder;
  private WebhookReceiver receiver;
  private TestServer server;
  private TestApiClient client;

  @BeforeEach
  void start() {
    receiver = WebhookReceiver.replyingOk();
    server = TestServer.in(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED));
    client = new TestApiClient(server);
  }

  @AfterEach
  void stop() {
    server.close();
    receiver.close();
  }

  private JsonNode submit(String tasks) throws IOException {
    RawResponse created =
        server.post(
            "/task",
            "{\"name\": \"May\", \"context\": {\"month\": 5}, \"tasks\": %s}".formatted(tasks));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return created.json();
  }

  private void settle(String outcome) throws IOException {
    JsonNode lease = client.claimOne();
    RawResponse settled =
        client.patch(
            lease.get("id").stringValue(),
            "{\"epoch\": %s, %s}".formatted(lease.get("epoch"), outcome));
    assertThat(settled.status()).as(settled.body()).isEqualTo(200);
  }

  private JsonNode claimOther(String include) throws IOException {
    RawResponse claimed =
        server.post(
            "/task/claim",
            "{\"worker\": \"ada\", \"kinds\": [\"other\"], \"wait\": \"18s\"%s}"
                .formatted(include));
    assertThat(claimed.status()).as(claimed.body()).isEqualTo(200);
    assertThat(claimed.json()).hasSize(1);
    return claimed.json().get(0);
  }

  @Test
  void a_task_shows_what_it_depends_on() throws Exception {
    JsonNode tasks =
        submit(
            """
            [{"kind": "job", "id": "import", "name": "Import"},
             {"kind": "other", "id": "report",
              "dependencies": [{"id": "import"}, {"id": "check", "requires_success": false}]},
             {"kind": "k", "id": "check"}]""");
    String report = tasks.get(1).get("id").stringValue();
    assertThat(tasks.get(1).get("dependencies_unmet").intValue()).isEqualTo(2);

    settle("\"status\": \"Success\"");
    JsonNode shown =
        Eventually.await(
            () -> client.show(report), task -> task.get("dependencies_unmet").intValue() == 1);
    assertThat(shown.get("dependencies").valueStream().map(JsonNode::toString))
        .containsExactlyInAnyOrder(
            """
            {"id":"%s","local_id":"import","name":"Import","status":"Success","requires_success":true,"outcome":"succeeded"}"""
                .formatted(tasks.get(0).get("id").stringValue()),
            """
            {"id":"%s","local_id":"check","name":null,"status":"Pending","requires_success":false,"outcome":null}"""
                .formatted(tasks.get(2).get("id").stringValue()));
    assertThat(client.show(tasks.get(0).get("id").stringValue()).get("dependencies")).isEmpty();
  }

  @Test
  void webhooks_send_the_results_of_parents_and_the_context() throws Exception {
    String body =
        """
        "body": {"rows": "{{parents.import.result}}", "was": "{{parents.import.status}}",
         "context": "{{batch.context}}", "text": "{{batch.name}} of {{batch.id}}"}""";
    JsonNode tasks =
        submit(
            """
            [{"kind": "job", "id": "import"},
             {"kind": "k", "id": "report", "dependencies": [{"id": "import"}],
              "on_start": %s, "on_success": [%s]}]"""
                .formatted(
                    receiver.action("/start", ", \"completion\": \"response\", " + body),
                    receiver.action("/end", ", " + body)));
    settle("\"status\": \"Success\", \"result\": {\"rows\": [7]}");

    String expected =
        """
        {"rows":{"rows":[7]},"was":"Success","context":{"month":5},"text":"May of %s"}"""
            .formatted(tasks.get(0).get("batch_id").stringValue());
    assertThat(receiver.next("/start").json()).hasToString(expected);
    assertThat(receiver.next("/end").json()).hasToString(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"on_start", "on_failure"})
  void a_body_can_only_use_results_of_dependencies(String field) throws IOException {
    boolean isSingle = field.equals("on_start");
    String action = receiver.action("/start", ", \"body\": \"{{parents.imp.result}}\"");
    RawResponse refused =
        server.post(
            "/task",
            """
            [{"kind": "k", "id": "imp"},
             {"kind": "k", "id": "import"},
             {"kind": "k", "dependencies": [{"id": "import"}], "%s": %s}]"""
                .formatted(field, isSingle ? action : "[" + action + "]"));

    assertThat(refused.status()).isEqualTo(400);
    JsonNode error = refused.json().get("errors").get(0);
    assertThat(error.get("path").stringValue())
        .isEqualTo("[2].%s.params.body".formatted(isSingle ? field : field + "[0]"));
    assertThat(error.get("message").stringValue()).contains("is not in the task's 'dependencies'");
  }

  @Test
  void a_lease_has_parents_and_batch_if_the_worker_asks_for_them() throws Exception {
    JsonNode tasks =
        submit(
            """
            [{"kind": "job", "id": "import"},
             {"kind": "other", "dependencies": [{"id": "import"}]},
             {"kind": "other", "dependencies": [{"id": "import"}]}]""");
    settle("\"status\": \"Success\", \"result\": {\"rows\": 7}");

    JsonNode lease = claimOther(", \"include\": [\"parents\", \"batch\"]");
    assertThat(lease.get("parents"))
        .hasToString(
            """
            [{"id":"%s","local_id":"import","status":"Success","result":{"rows":7}}]"""
                .formatted(tasks.get(0).get("id").stringValue()));
    assertThat(lease.get("batch"))
        .hasToString(
            """
            {"id":"%s","name":"May","context":{"month":5}}"""
                .formatted(tasks.get(0).get("batch_id").stringValue()));
    assertThat(claimOther("").propertyNames()).doesNotContain("parents", "batch");
  }

  @Test
  void a_large_result_is_left_out_of_a_lease() throws Exception {
    submit(
        """
        [{"kind": "job", "id": "import"},
         {"kind": "other", "dependencies": [{"id": "import"}]}]""");
    settle("\"status\": \"Success\", \"result\": \"%s\"".formatted("x".repeat(64 << 10)));

    JsonNode parent = claimOther(", \"include\": [\"parents\"]").get("parents").get(0);
    assertThat(parent.get("result_omitted").booleanValue()).isTrue();
    assertThat(parent.has("result")).isFalse();
  }

  @Test
  void an_unknown_part_of_a_lease_is_an_error() throws IOException {
    RawResponse refused = client.tryClaim(", \"include\": [\"parent\"]");
    assertThat(refused.status()).isEqualTo(400);
    JsonNode error = refused.json().get("errors").get(0);
    assertThat(error.get("path").stringValue()).isEqualTo("include[0]");
    assertThat(error.get("message").stringValue()).contains("did you mean 'parents'");
  }
}

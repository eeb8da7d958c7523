// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What tasks learn about the tasks that they depend on, and about their batch. */
class GraphResultsTest extends WebhookServerFixture {

  private JsonNode submitMay(String tasks) throws IOException {
    return submit(
            "{\"name\": \"May\", \"context\": {\"month\": 5}, \"tasks\": %s}".formatted(tasks))
        .json();
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
        submitMay(
            """
            [{"kind": "job", "id": "import", "name": "Import"},
             {"kind": "other", "id": "report",
              "dependencies": [{"id": "import"}, {"id": "check", "requires_success": false}]},
             {"kind": "k", "id": "check"}]""");
    String report = tasks.get(1).get("id").stringValue();
    assertThat(tasks.get(1).get("dependencies_unmet").intValue()).isEqualTo(2);

    client.settleOne("\"status\": \"Success\"");
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
  void a_dependency_shows_that_its_parent_has_been_resolved() throws Exception {
    JsonNode tasks =
        submitMay(
            """
            [{"kind": "job", "id": "import"},
             {"kind": "other", "dependencies": [{"id": "import", "requires_success": false}]}]""");
    String parent = tasks.get(0).get("id").stringValue();
    String child = tasks.get(1).get("id").stringValue();
    client.settleOne("\"status\": \"Failure\"");
    JsonNode failed =
        Eventually.await(
            () -> client.show(child), task -> task.get("dependencies_unmet").intValue() == 0);
    assertThat(failed.get("dependencies").get(0).get("outcome").stringValue()).isEqualTo("failed");

    RawResponse resolved =
        server.post("/task/" + parent + "/resolve", "{\"reason\": \"done by hand\"}");

    assertThat(resolved.status()).as(resolved.body()).isEqualTo(200);
    JsonNode shown = client.show(child).get("dependencies").get(0);
    assertThat(shown.get("status").stringValue()).isEqualTo("Success");
    assertThat(shown.get("outcome").stringValue()).isEqualTo("succeeded");
  }

  @Test
  void webhooks_send_the_results_of_parents_and_the_context() throws Exception {
    String body =
        """
        "body": {"rows": "{{parents.import.result}}", "was": "{{parents.import.status}}",
         "context": "{{batch.context}}", "text": "{{batch.name}} of {{batch.id}}"}""";
    JsonNode tasks =
        submitMay(
            """
            [{"kind": "job", "id": "import"},
             {"kind": "k", "id": "report", "dependencies": [{"id": "import"}],
              "on_start": %s, "on_success": [%s]}]"""
                .formatted(
                    receiver.action("/start", ", \"completion\": \"response\", " + body),
                    receiver.action("/end", ", " + body)));
    client.settleOne("\"status\": \"Success\", \"result\": {\"rows\": [7]}");

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
  void a_lease_has_the_results_of_parents() throws Exception {
    JsonNode tasks =
        submitMay(
            """
            [{"kind": "job", "id": "import"},
             {"kind": "other", "dependencies": [{"id": "import"}]}]""");
    JsonNode first = client.claimOne();
    assertThat(first.propertyNames()).doesNotContain("parents", "parents_truncated", "batch");
    client.settle(first, "\"status\": \"Success\", \"result\": {\"rows\": 7}");

    JsonNode lease = claimOther("");
    assertThat(lease.get("parents"))
        .hasToString(
            """
            [{"id":"%s","local_id":"import","status":"Success","result":{"rows":7}}]"""
                .formatted(tasks.get(0).get("id").stringValue()));
    assertThat(lease.get("parents_truncated").booleanValue()).isFalse();
  }

  @Test
  void a_lease_has_the_parents_that_had_ended_before_the_submission() throws Exception {
    String parent =
        submitMay("[{\"kind\": \"job\", \"id\": \"a\"}]").get(0).get("id").stringValue();
    client.settleOne("\"status\": \"Success\", \"result\": 7");
    submitMay("[{\"kind\": \"other\", \"dependencies\": [{\"id\": \"%s\"}]}]".formatted(parent));

    assertThat(claimOther("").get("parents").get(0).get("result").intValue()).isEqualTo(7);
  }

  @Test
  void a_lease_has_the_batch_if_the_worker_asks_for_it() throws Exception {
    JsonNode tasks = submitMay("[{\"kind\": \"other\"}]");

    assertThat(claimOther(", \"include\": [\"batch\"]").get("batch"))
        .hasToString(
            """
            {"id":"%s","name":"May","context":{"month":5}}"""
                .formatted(tasks.get(0).get("batch_id").stringValue()));
  }

  @Test
  void a_lease_has_the_first_of_very_many_parents() throws Exception {
    int count = LeaseGraph.MAX_PARENTS + 1;
    String parents =
        IntStream.range(0, count)
            .mapToObj("{\"kind\": \"many\", \"id\": \"p%d\"}"::formatted)
            .collect(Collectors.joining(","));
    String dependencies =
        IntStream.range(0, count)
            .mapToObj("{\"id\": \"p%d\", \"requires_success\": false}"::formatted)
            .collect(Collectors.joining(","));
    submitMay(
        "[%s, {\"kind\": \"other\", \"dependencies\": [%s]}]".formatted(parents, dependencies));
    RawResponse canceled =
        server.post("/task/bulk", "{\"action\": \"cancel\", \"filter\": {\"kind\": \"many\"}}");
    assertThat(canceled.status()).as(canceled.body()).isEqualTo(200);

    JsonNode lease = claimOther("");
    assertThat(lease.get("parents")).hasSize(LeaseGraph.MAX_PARENTS);
    assertThat(lease.get("parents_truncated").booleanValue()).isTrue();
  }

  @Test
  void a_large_result_is_left_out_of_a_lease() throws Exception {
    submitMay(
        """
        [{"kind": "job", "id": "import"},
         {"kind": "other", "dependencies": [{"id": "import"}]}]""");
    client.settleOne("\"status\": \"Success\", \"result\": \"%s\"".formatted("x".repeat(64 << 10)));

    JsonNode parent = claimOther("").get("parents").get(0);
    assertThat(parent.get("result_omitted").booleanValue()).isTrue();
    assertThat(parent.has("result")).isFalse();
  }

  @Test
  void an_unknown_part_of_a_lease_is_an_error() throws IOException {
    RawResponse refused = client.tryClaim(", \"include\": [\"batches\"]");
    assertThat(refused.status()).isEqualTo(400);
    JsonNode error = refused.json().get("errors").get(0);
    assertThat(error.get("path").stringValue()).isEqualTo("include[0]");
    assertThat(error.get("message").stringValue()).contains("did you mean 'batch'");
  }
}

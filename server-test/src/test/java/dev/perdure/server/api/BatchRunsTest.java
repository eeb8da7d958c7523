// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Batches that run again, and the webhooks that are called when they are final. */
class BatchRunsTest extends WebhookServerFixture {

  private String submitBatch(String fields) throws IOException {
    return submit(
            """
            {"name": "May", "tasks": [{"kind": "job", "id": "import"}]%s}"""
                .formatted(fields))
        .header("X-Batch-ID");
  }

  private JsonNode show(String batch) throws IOException {
    return server.get("/batch/" + batch).json();
  }

  @Test
  void a_failed_batch_runs_again_and_then_calls_its_webhooks() throws Exception {
    String batch =
        submitBatch(
            """
            , "retry": {"max_retries": 1, "backoff": {"type": "fixed", "delay": "1ms"}},
              "on_success": [%s], "on_failure": [%s], "on_finished": [%s]"""
                .formatted(
                    receiver.action("/success"),
                    receiver.action("/failure"),
                    receiver.action("/finished")));
    client.settleOne("\"status\": \"Failure\", \"failure_reason\": \"no rows\"");
    client.settleOne("\"status\": \"Success\"");

    WebhookReceiver.ReceivedCall first = receiver.next();
    WebhookReceiver.ReceivedCall second = receiver.next();
    assertThat(first.path().equals("/success") ? second.path() : first.path())
        .isEqualTo("/finished");
    JsonNode summary = (first.path().equals("/success") ? first : second).json();
    assertThat(summary.get("batch_id").stringValue()).isEqualTo(batch);
    assertThat(summary.get("outcome").stringValue()).isEqualTo("success");
    assertThat(summary.get("run").intValue()).isOne();
    assertThat(first.header("X-Batch-Id")).isEqualTo(batch);
    assertThat(first.header("Idempotency-Key")).matches(batch + ":\\w+:\\w+:0:1:\\d+");

    JsonNode shown = show(batch);
    assertThat(shown.get("run").intValue()).isOne();
    assertThat(shown.get("runs").valueStream().map(run -> run.get("outcome").stringValue()))
        .containsExactly("failure", "success");
    assertThat(shown.get("runs").get(0).get("failure").stringValue()).isEqualTo("no rows");
    assertThat(shown.get("retry").get("max_retries").intValue()).isOne();
    assertThat(shown.get("actions").has("on_finished")).isTrue();
    assertThat(shown.get("total_tasks").intValue()).isOne();
    assertThat(server.get("/dag/" + batch).json().get("tasks")).hasSize(1);
    assertThat(receiver.count()).as("on_failure is not called").isEqualTo(2);
  }

  /** Receivers that drop repetitions must not drop the second end. */
  @Test
  void each_end_of_a_run_has_its_own_idempotency_key() throws Exception {
    String batch = submitBatch(", \"on_failure\": [%s]".formatted(receiver.action("/failure")));
    client.settleOne("\"status\": \"Failure\"");
    String first = receiver.next().header("Idempotency-Key");
    assertThat(server.post("/batch/" + batch + "/retry", "{}").status()).isEqualTo(200);
    client.settleOne("\"status\": \"Failure\"");
    String second = receiver.next().header("Idempotency-Key");
    assertThat(second).isNotEqualTo(first);

    String task = server.get("/task?batch_id=" + batch).json().get(0).get("id").stringValue();
    for (JsonNode delivery : server.get("/delivery?task=" + task).json()) {
      String path = "/delivery/" + delivery.get("id").stringValue() + "/redeliver";
      Eventually.await(() -> server.post(path, "{}"), sent -> sent.status() == 200);
    }
    assertThat(
            List.of(
                receiver.next().header("Idempotency-Key"),
                receiver.next().header("Idempotency-Key")))
        .containsExactlyInAnyOrder(first, second);
  }

  @Test
  void a_batch_waits_for_its_next_run() throws Exception {
    String batch =
        submitBatch(
            """
            , "retry": {"max_retries": 3, "backoff": {"type": "fixed", "delay": "7d"}}""");
    client.settleOne("\"status\": \"Failure\"");
    JsonNode waiting =
        Eventually.await(() -> show(batch), shown -> shown.hasNonNull("next_run_at"));
    assertThat(waiting.get("runs")).hasSize(1);

    RawResponse again = server.post("/batch/" + batch + "/retry", "{\"run\": \"new\"}");
    assertThat(again.status()).as(again.body()).isEqualTo(200);
    assertThat(again.json().get("run").intValue()).isOne();
    assertRepeatedOnce(batch);
    client.settleOne("\"status\": \"Success\"");
    Eventually.await(() -> show(batch), shown -> shown.get("runs").path(1).hasNonNull("ended_at"));
    assertRepeatedOnce(batch);
    assertThat(show(batch).get("run").intValue()).isOne();
  }

  /** Repeats the request after its answer was lost, and sends one that expects another run. */
  private void assertRepeatedOnce(String batch) throws IOException {
    String path = "/batch/" + batch + "/retry";
    RawResponse repeated = server.post(path, "{\"run\": \"new\", \"expected_run\": 0}");
    assertThat(repeated.status()).as(repeated.body()).isEqualTo(200);
    assertThat(repeated.json().get("run").intValue()).isOne();
    RawResponse other = server.post(path, "{\"run\": \"new\", \"expected_run\": 5}");
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.body()).contains("not at run 5");
    assertThat(server.post(path, "{\"run\": \"new\", \"expected_run\": -1}").status())
        .isEqualTo(400);
  }

  @Test
  void a_live_batch_cannot_run_again() throws Exception {
    String batch = submitBatch("");
    assertThat(server.post("/batch/" + batch + "/retry", "{\"run\": \"new\"}").status())
        .isEqualTo(409);
  }

  @Test
  void dead_ends_are_canceled_up_to_a_barrier() throws Exception {
    JsonNode tasks =
        submit(
                """
                {"dead_end_cancel": true, "tasks": [
                  {"kind": "k", "id": "root", "dead_end_barrier": true},
                  {"kind": "k", "id": "middle", "dependencies": [{"id": "root"}]},
                  {"kind": "k", "id": "leaf", "dependencies": [{"id": "middle"}]}]}""")
            .json();
    server.request("DELETE", "/task/" + tasks.get(2).get("id").stringValue());
    Eventually.await(
        () -> client.show(tasks.get(1).get("id").stringValue()),
        task -> task.get("status").stringValue().equals("Canceled"));
    assertThat(client.show(tasks.get(0).get("id").stringValue()).get("status").stringValue())
        .isEqualTo("Pending");
  }

  @Test
  void errors_name_the_field() throws Exception {
    RawResponse refused =
        server.post(
            "/task",
            """
            {"tasks": [{"kind": "k"}], "retry": {"max_retries": -1}, "dead_end_cancel": 3,
             "on_finished": [{"kind": "Webhook", "params": {"url": "ftp://x", "verb": "Post"}}]}""");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().get("errors").valueStream().map(e -> e.get("path").stringValue()))
        .contains("retry.max_retries", "dead_end_cancel", "on_finished[0].params.url");
  }
}

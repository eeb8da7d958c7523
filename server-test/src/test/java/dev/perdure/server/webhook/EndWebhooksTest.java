// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.ReceivedCall;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.config.Setting;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The webhooks on ends, retries and cancels, over real HTTP on both sides. */
@Tag("slow")
class EndWebhooksTest {

  private static final String KEY = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  @TempDir private Path folder;

  private TestServer server(TestDatabase database) {
    return server(database, Map.of());
  }

  private TestServer server(TestDatabase database, Map<Setting<?>, String> more) {
    Map<Setting<?>, String> settings = new LinkedHashMap<>();
    settings.put(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED);
    settings.putAll(more);
    return database.server(folder, settings);
  }

  /** Submits a task and claims it as a remote worker, whose tasks send webhooks too. */
  private static JsonNode submitAndClaim(TestApiClient client, String task) throws IOException {
    client.submit(task);
    return client.claimOne();
  }

  private static void settle(TestApiClient client, JsonNode lease, String outcome)
      throws IOException {
    String body = "{\"epoch\": %s, %s}".formatted(lease.get("epoch"), outcome);
    RawResponse response = client.patch(lease.get("id").stringValue(), body);
    assertThat(response.status()).as(response.body()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  void on_success_sends_a_summary_of_the_task(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      JsonNode lease =
          submitAndClaim(
              client,
              """
              {"kind": "job", "name": "N", "metadata": {"team": 7}, "on_success": [%s, %s]}"""
                  .formatted(receiver.action("/one"), receiver.action("/two")));
      String id = lease.get("id").stringValue();
      assertThat(client.put(id, "{\"epoch\": 1, \"new_success\": 2}").status()).isEqualTo(202);
      settle(
          client,
          lease,
          """
          "status": "Success", "result": {"rows": 3}, "new_success": 5, "new_failures": 1,
          "expected_count": 8""");

      ReceivedCall one = receiver.next();
      ReceivedCall two = receiver.next();
      assertThat(new String[] {one.path(), two.path()}).containsExactlyInAnyOrder("/one", "/two");
      ReceivedCall first = one.path().equals("/one") ? one : two;
      assertThat(first.header("Idempotency-Key")).isEqualTo(id + ":end:success:0:0");
      assertThat(first.header("X-Task-Trigger")).isEqualTo("end");
      assertThat(first.header("Content-Type")).isEqualTo("application/json");
      JsonNode summary = first.json();
      assertThat(summary.get("id").stringValue()).isEqualTo(id);
      assertThat(summary.get("status").stringValue()).isEqualTo("Success");
      assertThat(summary.get("name").stringValue()).isEqualTo("N");
      assertThat(summary.get("metadata")).hasToString("{\"team\":7}");
      assertThat(summary.get("result")).hasToString("{\"rows\":3}");
      assertThat(summary.get("success").longValue()).isEqualTo(7);
      assertThat(summary.get("failures").longValue()).isEqualTo(1);
      assertThat(summary.get("expected_count").longValue()).isEqualTo(8);
      assertThat(summary.get("failure_kind").isNull()).isTrue();
      assertThat(summary.get("retry_in_ms").isNull()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_summary_of_a_failure_says_what_failed_and_what_follows(TestDatabase database)
      throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      JsonNode lease =
          submitAndClaim(
              client,
              """
              {"kind": "job", "on_retry": [%s], "on_failure": [%s], "retry": {"max_retries": 1,
               "backoff": {"type": "fixed", "delay": "50ms"}, "jitter": "none"}}"""
                  .formatted(receiver.action("/retry"), receiver.action("/failure")));
      String failed =
          """
          "status": "Failure", "failure_reason": "no luck", "failure_code": "no_slots",
          "failure_status": 503, "new_failures": 4""";
      settle(client, lease, failed);

      JsonNode retry = receiver.next("/retry").json();
      assertThat(retry.get("status").stringValue()).isEqualTo("RetryPending");
      assertThat(retry.get("attempt").longValue()).isZero();
      assertThat(retry.get("next_attempt").longValue()).isEqualTo(1);
      JsonNode record = client.show(lease.get("id").stringValue()).get("attempts").get(0);
      assertThat(retry.get("next_retry_at")).isEqualTo(record.get("next_at"));
      assertThat(retry.get("retry_in_ms").longValue()).isEqualTo(50);
      assertThat(retry.get("failures").longValue()).isEqualTo(4);
      assertThat(retry.get("failure_kind").stringValue()).isEqualTo("explicit");
      assertThat(retry.get("failure_code").stringValue()).isEqualTo("no_slots");
      assertThat(retry.get("failure_status").intValue()).isEqualTo(503);
      assertThat(retry.get("failure_reason").stringValue()).isEqualTo("no luck");
      assertThat(retry.get("give_up_reason").isNull()).isTrue();

      settle(client, client.claimOne(), failed);
      JsonNode failure = receiver.next("/failure").json();
      assertThat(failure.get("status").stringValue()).isEqualTo("Failure");
      assertThat(failure.get("attempt").longValue()).isEqualTo(1);
      assertThat(failure.get("failures").longValue()).isEqualTo(8);
      assertThat(failure.get("give_up_reason").stringValue()).isEqualTo("exhausted");
      assertThat(failure.get("retry_in_ms").isNull()).isTrue();
      assertThat(failure.get("next_attempt").isNull()).isTrue();
      assertThat(failure.get("next_retry_at").isNull()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void on_retry_fires_for_each_retry_and_on_failure_once(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      String body =
          """
          , "body": {"id": "{{task.id}}", "status": "{{task.status}}", "n": "{{task.attempt}}",
                     "why": "{{task.failure_reason}}"}""";
      JsonNode lease =
          submitAndClaim(
              client,
              """
              {"kind": "job", "retry": {"max_retries": 1, "backoff": {"type": "immediate"}},
               "on_retry": [%s], "on_failure": [%s]}"""
                  .formatted(receiver.action("/retry", body), receiver.action("/failure", body)));
      String id = lease.get("id").stringValue();
      settle(client, lease, "\"status\": \"Failure\", \"failure_reason\": \"no \\\"luck\\\"\"");

      ReceivedCall retry = receiver.next();
      assertThat(retry.path()).isEqualTo("/retry");
      assertThat(retry.header("Idempotency-Key")).isEqualTo(id + ":retry:success:0:0");
      assertThat(retry.json())
          .hasToString(
              "{\"id\":\"%s\",\"status\":\"RetryPending\",\"n\":\"0\",\"why\":\"no \\\"luck\\\"\"}"
                  .formatted(id));

      settle(client, client.claimOne(), "\"status\": \"Failure\", \"failure_reason\": \"again\"");
      ReceivedCall failure = receiver.next();
      assertThat(failure.path()).isEqualTo("/failure");
      assertThat(failure.header("Idempotency-Key")).isEqualTo(id + ":end:failure:0:1");
      assertThat(failure.json().get("status").stringValue()).isEqualTo("Failure");
      assertThat(failure.json().get("why").stringValue()).isEqualTo("again");
      assertThat(server.get("/delivery?task=" + id).json().findValuesAsString("trigger"))
          .containsExactlyInAnyOrder("on_retry", "on_failure");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_cancel_sends_on_cancel_and_the_callees_cancel_action(TestDatabase database)
      throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(database)) {
      receiver.replyWith(call -> Reply.of(200, receiver.action("/stop")));
      TestApiClient client = new TestApiClient(server);
      String id =
          client.submit(
              "{\"kind\": \"etl\", \"on_start\": %s, \"on_cancel\": [%s]}"
                  .formatted(receiver.action("/start"), receiver.action("/canceled")));
      receiver.next("/start");
      awaitHandOff(client, id);

      assertThat(server.request("DELETE", "/task/" + id).status()).isEqualTo(200);

      ReceivedCall one = receiver.next();
      ReceivedCall two = receiver.next();
      assertThat(new String[] {one.path(), two.path()})
          .containsExactlyInAnyOrder("/stop", "/canceled");
      assertThat(new String[] {one.header("Idempotency-Key"), two.header("Idempotency-Key")})
          .containsExactlyInAnyOrder(id + ":cancel:success:0:0", id + ":cancel:success:1:0");
      JsonNode summary = (one.path().equals("/canceled") ? one : two).json();
      assertThat(summary.get("id").stringValue()).isEqualTo(id);
      assertThat(summary.get("status").stringValue()).isEqualTo("Canceled");
    }
  }

  /** Waits until the response to on_start is recorded and no node holds the task. */
  private static void awaitHandOff(TestApiClient client, String id) throws Exception {
    Eventually.await(() -> client.show(id).get("worker"), JsonNode::isNull);
  }

  @ParameterizedTest
  @EnumSource
  void a_timed_out_callee_gets_its_cancel_action(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(database)) {
      receiver.replyWith(call -> Reply.of(200, receiver.action("/stop")));
      TestApiClient client = new TestApiClient(server);
      String id =
          client.submit(
              "{\"kind\": \"etl\", \"timeout\": 1, \"on_start\": %s}"
                  .formatted(receiver.action("/start")));

      ReceivedCall stop = receiver.next("/stop");
      assertThat(stop.header("X-Task-Id")).isEqualTo(id);
      assertThat(stop.header("X-Task-Trigger")).isEqualTo("cancel");
      assertThat(client.show(id).get("failure_kind").stringValue()).isEqualTo("timeout");
      JsonNode deliveries = server.get("/delivery?task=" + id).json();
      assertThat(deliveries).hasSize(1);
      assertThat(deliveries.get(0).get("trigger").stringValue()).isEqualTo("cancel_action");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_callee_gets_its_cancel_action_when_the_deadline_passes(TestDatabase database)
      throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(database)) {
      receiver.replyWith(call -> Reply.of(200, receiver.action("/stop")));
      TestApiClient client = new TestApiClient(server);
      Instant deadline = Instant.now().plusSeconds(10);
      String id =
          client.submit(
              "{\"kind\": \"etl\", \"deadline\": \"%s\", \"on_start\": %s, \"on_failure\": [%s]}"
                  .formatted(deadline, receiver.action("/start"), receiver.action("/failed")));
      receiver.next("/start");

      ReceivedCall one = receiver.next();
      ReceivedCall two = receiver.next();
      assertThat(new String[] {one.path(), two.path()})
          .containsExactlyInAnyOrder("/stop", "/failed");
      assertThat(client.show(id).get("give_up_reason").stringValue()).isEqualTo("expired");
    }
  }

  /** The response with the cancel action comes after the cancel. */
  @ParameterizedTest
  @EnumSource
  void a_callee_that_is_canceled_before_it_responds_gets_its_cancel_action(TestDatabase database)
      throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(database)) {
      receiver.replyWith(
          call -> {
            if (call.path().equals("/start")) {
              cancel(server, call.header("X-Task-Id"));
            }
            return Reply.of(200, receiver.action("/stop"));
          });
      TestApiClient client = new TestApiClient(server);
      String id =
          client.submit(
              "{\"kind\": \"etl\", \"on_start\": %s}".formatted(receiver.action("/start")));

      ReceivedCall stop = receiver.next("/stop");
      assertThat(stop.header("Idempotency-Key")).isEqualTo(id + ":cancel:success:0:0");
      assertThat(client.status(id)).isEqualTo("Canceled");
      assertThat(server.get("/metrics").body())
          .as("no stale write")
          .containsPattern("stale_writes_total 0");
    }
  }

  private static void cancel(TestServer server, String id) {
    try {
      assertThat(server.request("DELETE", "/task/" + id).status()).isEqualTo(200);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_cancel_action_with_an_internal_address_is_ignored(TestDatabase database) throws Exception {
    String internal =
        "{\"kind\": \"Webhook\", \"params\": {\"url\": \"http://10.0.0.1/\", \"verb\": \"Post\"}}";
    try (WebhookReceiver receiver = WebhookReceiver.replyingWith(call -> Reply.of(200, internal));
        TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      String id =
          client.submit(
              "{\"kind\": \"etl\", \"on_start\": %s, \"on_cancel\": [%s]}"
                  .formatted(receiver.action("/start"), receiver.action("/canceled")));
      receiver.next("/start");
      awaitHandOff(client, id);
      server.request("DELETE", "/task/" + id);

      receiver.next("/canceled");
      assertThat(server.get("/delivery?task=" + id).json()).hasSize(1);
    }
  }

  /** Computes the signature from the definition of Standard Webhooks, not with our own code. */
  @ParameterizedTest
  @EnumSource
  void every_call_is_signed(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingWith(call -> Reply.of(200, "1"));
        TestServer server =
            server(database, Map.of(WebhookSettings.WEBHOOK_SECRET, "whsec_" + KEY))) {
      TestApiClient client = new TestApiClient(server);
      client.submit(
          "{\"kind\": \"etl\", \"on_start\": %s, \"on_success\": [%s]}"
              .formatted(
                  receiver.action("/start", ", \"completion\": \"response\", \"body\": \"{} …\""),
                  receiver.action("/end")));

      ReceivedCall start = receiver.next();
      assertThat(start.header("webhook-signature")).isEqualTo(signature(start));
      ReceivedCall end = receiver.next();
      assertThat(end.path()).isEqualTo("/end");
      assertThat(end.header("webhook-id")).isEqualTo(end.header("Idempotency-Key"));
      assertThat(end.header("webhook-signature")).isEqualTo(signature(end));
    }
  }

  private static String signature(ReceivedCall call) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
    String signed =
        call.header("webhook-id") + "." + call.header("webhook-timestamp") + "." + call.body();
    byte[] proof = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
    return "v1," + Base64.getEncoder().encodeToString(proof);
  }

  @ParameterizedTest
  @EnumSource
  void a_dead_letter_can_be_redelivered(TestDatabase database) throws Exception {
    String policy = "{\"max_retries\": 2, \"backoff\": {\"type\": \"immediate\"}}";
    try (WebhookReceiver receiver = WebhookReceiver.replyingWith(call -> Reply.of(500));
        TestServer server = server(database, Map.of(WebhookSettings.DELIVERY_RETRY, policy))) {
      TestApiClient client = new TestApiClient(server);
      JsonNode lease =
          submitAndClaim(
              client, "{\"kind\": \"job\", \"on_success\": [%s]}".formatted(receiver.action("/")));
      String id = lease.get("id").stringValue();
      settle(client, lease, "\"status\": \"Success\"");
      for (int i = 0; i < 3; i++) {
        assertThat(receiver.next().header("Idempotency-Key")).isEqualTo(id + ":end:success:0:0");
      }
      JsonNode dead = awaitDelivery(server, "dead");
      assertThat(dead.get("task_id").stringValue()).isEqualTo(id);
      assertThat(dead.get("trigger").stringValue()).isEqualTo("on_success");
      assertThat(dead.get("failure_status").intValue()).isEqualTo(500);

      receiver.replyWith(call -> Reply.of(204));
      String again = "/delivery/" + dead.get("id").stringValue() + "/redeliver";
      assertThat(server.request("POST", again).status()).isEqualTo(200);
      assertThat(receiver.next().header("Idempotency-Key")).isEqualTo(id + ":end:success:0:0");
      assertThat(awaitDelivery(server, "sent").get("id")).isEqualTo(dead.get("id"));
      assertThat(server.get("/audit").json().get(0).get("action").stringValue())
          .isEqualTo("redeliver");
      assertThat(server.get("/delivery?state=dead").json()).isEmpty();
    }
  }

  /**
   * Waits for the one delivery in this state: the store records an end after the callee has seen
   * the call.
   */
  private static JsonNode awaitDelivery(TestServer server, String state) throws Exception {
    String target = "/delivery?state=" + state;
    return Eventually.await(() -> server.get(target).json(), found -> found.size() == 1).get(0);
  }
}

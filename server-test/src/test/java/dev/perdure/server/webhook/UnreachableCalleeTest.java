// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.UnusedPort;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.config.Setting;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Webhooks to callees that are down: the presets retry them, as the documentation promises. */
@Tag("slow")
class UnreachableCalleeTest {

  @TempDir private Path folder;

  private TestServer server(TestDatabase database, Map<Setting<?>, String> more) {
    Map<Setting<?>, String> settings = new LinkedHashMap<>(more);
    settings.put(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED);
    return database.server(folder, settings);
  }

  private static String task(String url, String policy, String params) {
    return """
        {"kind": "ping", "retry": %s,
         "on_start": {"kind": "Webhook", "params": {"url": "%s", "verb": "Post", %s}}}"""
        .formatted(policy, url, params);
  }

  /** The record of the first attempt of a task that waits for its retry. */
  private static JsonNode retriedAttempt(TestApiClient client, String id) throws Exception {
    JsonNode task =
        Eventually.await(() -> client.show(id), shown -> !shown.get("attempts").isEmpty());
    JsonNode attempt = task.get("attempts").get(0);
    assertThat(attempt.get("next_at").isNull()).as(task.toString()).isFalse();
    assertThat(attempt.get("failure_kind").stringValue()).isEqualTo("webhook_failure");
    return attempt;
  }

  private static List<String> types(JsonNode attempt) {
    return attempt.get("exception_types").valueStream().map(JsonNode::stringValue).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "http,      callback",
    "http,      response",
    "transient, callback",
    "transient, response"
  })
  void presets_retry_every_way_not_to_be_reached(String preset, String completion)
      throws Exception {
    String policy = "{\"preset\": \"%s\"}".formatted(preset);
    String mode = "\"completion\": \"%s\"".formatted(completion);
    CountDownLatch released = new CountDownLatch(1);
    try (WebhookReceiver silent =
            WebhookReceiver.replyingWith(
                call -> {
                  released.await();
                  return Reply.of(200);
                });
        TestServer server = server(TestDatabase.SQLITE, Map.of())) {
      TestApiClient client = new TestApiClient(server);
      String refused =
          client.submit(task("http://127.0.0.1:" + UnusedPort.next() + "/", policy, mode));
      String unknown = client.submit(task("http://nowhere.invalid/", policy, mode));
      String late = client.submit(task(silent.url("/"), policy, mode + ", \"timeout\": \"300ms\""));

      assertThat(types(retriedAttempt(client, refused)))
          .startsWith("java.net.ConnectException")
          .contains("java.io.IOException");
      assertThat(types(retriedAttempt(client, unknown))).contains("java.io.IOException");
      JsonNode timedOut = retriedAttempt(client, late);
      assertThat(timedOut.get("code").stringValue()).isEqualTo("webhook_timeout");
      assertThat(types(timedOut))
          .startsWith("java.net.SocketTimeoutException")
          .contains("java.io.IOException");
      released.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_succeeds_once_its_callee_is_up(TestDatabase database) throws Exception {
    int port = UnusedPort.next();
    try (TestServer server = server(database, Map.of())) {
      TestApiClient client = new TestApiClient(server);
      String id =
          client.submit(
              task(
                  "http://127.0.0.1:" + port + "/",
                  "{\"preset\": \"http\"}",
                  "\"completion\": \"response\""));
      retriedAttempt(client, id);
      try (WebhookReceiver up = WebhookReceiver.at(port, call -> Reply.of(200, "7"))) {
        up.next();

        JsonNode task =
            Eventually.await(() -> client.show(id), shown -> !shown.get("ended_at").isNull());
        assertThat(task.get("status").stringValue()).isEqualTo("Success");
        assertThat(task.get("attempt").longValue()).isPositive();
      }
    }
  }

  @Test
  void a_policy_can_name_the_exception() throws Exception {
    String policy =
        """
        {"backoff": {"type": "fixed", "delay": "1h"}, "retry_on": ["exception:%s"]}""";
    try (TestServer server = server(TestDatabase.SQLITE, Map.of())) {
      TestApiClient client = new TestApiClient(server);
      String url = "http://127.0.0.1:" + UnusedPort.next() + "/";
      String mode = "\"completion\": \"response\"";

      for (String type : List.of("java.io.IOException", "ConnectException")) {
        retriedAttempt(client, client.submit(task(url, policy.formatted(type), mode)));
      }
      String other =
          client.submit(task(url, policy.formatted("java.net.SocketTimeoutException"), mode));
      JsonNode task =
          Eventually.await(() -> client.show(other), shown -> !shown.get("ended_at").isNull());
      assertThat(task.get("give_up_reason").stringValue()).isEqualTo("not_retryable");
    }
  }

  @ParameterizedTest
  @EnumSource
  void presets_retry_deliveries_too(TestDatabase database) throws Exception {
    String preset = "{\"preset\": \"transient\"}";
    try (TestServer server = server(database, Map.of(WebhookSettings.DELIVERY_RETRY, preset))) {
      TestApiClient client = new TestApiClient(server);
      client.submit(
          """
          {"kind": "job", "on_success": [{"kind": "Webhook",
           "params": {"url": "http://127.0.0.1:%d/", "verb": "Post"}}]}"""
              .formatted(UnusedPort.next()));
      JsonNode lease = client.claimOne();
      client.patch(
          lease.get("id").stringValue(),
          "{\"epoch\": %s, \"status\": \"Success\"}".formatted(lease.get("epoch")));

      JsonNode delivery =
          Eventually.await(
              () -> server.get("/delivery").json().get(0),
              shown -> !shown.get("failure_reason").isNull());
      assertThat(delivery.get("state").stringValue()).isEqualTo("pending");
    }
  }
}

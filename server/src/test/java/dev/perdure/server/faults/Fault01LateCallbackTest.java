// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The end of an attempt came when the next one was under way, and ended that instead. */
class Fault01LateCallbackTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void a_failed_attempt_does_not_end_its_retry(TestDatabase database) throws IOException {
    try (TestServer server = database.server(folder)) {
      TestApiClient testApiClient = new TestApiClient(server);
      String id = testApiClient.submitJob(TestApiClient.AT_ONCE);
      testApiClient.claimOne();
      testApiClient.patch(id, "{\"epoch\": 1, \"status\": \"Failure\"}");
      assertThat(testApiClient.claimOne().get("epoch").longValue()).isEqualTo(2);

      isRefused(testApiClient, id);
      assertThat(testApiClient.patch(id, "{\"epoch\": 2, \"status\": \"Success\"}").status())
          .isEqualTo(200);
      assertThat(testApiClient.show(id).get("attempts")).hasSize(2);
    }
  }

  /** The same attempt, but another lease: its number would not tell them apart. */
  @ParameterizedTest
  @EnumSource
  void a_worker_whose_lease_ran_out_does_not_end_the_next_ones(TestDatabase database)
      throws IOException {
    try (TestServer server = database.server(folder)) {
      TestApiClient testApiClient = new TestApiClient(server);
      String id = testApiClient.submitJob(TestApiClient.AT_ONCE);
      testApiClient.claim(", \"lease\": \"1s\"");
      JsonNode next = testApiClient.claimOne();
      assertThat(next.get("epoch").longValue()).isEqualTo(2);
      assertThat(next.get("attempt").longValue()).isZero();

      isRefused(testApiClient, id);
      assertThat(testApiClient.patch(id, "{\"epoch\": 2, \"status\": \"Success\"}").status())
          .isEqualTo(200);
      isRefused(testApiClient, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_canceled_attempt_does_not_end_the_revived_task(TestDatabase database) throws IOException {
    try (TestServer server = database.server(folder)) {
      TestApiClient testApiClient = new TestApiClient(server);
      String id = testApiClient.submitJob(TestApiClient.AT_ONCE);
      testApiClient.claimOne();
      server.request("DELETE", "/task/" + id);
      isRefused(testApiClient, id);
      server.post("/task/" + id + "/retry", "{}");
      isRefused(testApiClient, id);
      testApiClient.claimOne();
      isRefused(testApiClient, id);
    }
  }

  /** A callee has a handle instead of an epoch. */
  @ParameterizedTest
  @EnumSource
  void a_handle_does_not_end_the_next_attempt(TestDatabase database) throws Exception {
    try (WebhookReceiver webhookReceiver = WebhookReceiver.replyingOk();
        TestServer server =
            database.server(
                folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED))) {
      TestApiClient testApiClient = new TestApiClient(server);
      String id =
          testApiClient.submit(
              "{\"kind\": \"etl\", \"retry\": %s, \"on_start\": %s}"
                  .formatted(TestApiClient.AT_ONCE, webhookReceiver.action("/start")));
      String first = webhookReceiver.next().target();
      assertThat(server.send("PATCH", first, "{\"status\": \"Failure\"}").status()).isEqualTo(200);
      String second = webhookReceiver.next().target();

      assertThat(server.send("PATCH", first, "{\"status\": \"Success\"}").status()).isEqualTo(409);
      assertThat(server.send("PUT", first, "{\"new_success\": 1}").status()).isEqualTo(409);
      assertThat(testApiClient.status(id)).isEqualTo("Running");
      assertThat(server.send("PATCH", second, "{\"status\": \"Success\"}").status()).isEqualTo(200);
      assertThat(testApiClient.show(id).get("success").longValue()).isZero();
    }
  }

  /** Whatever the first worker says now changes nothing. */
  private static void isRefused(TestApiClient testApiClient, String id) throws IOException {
    JsonNode before = testApiClient.show(id);
    assertThat(testApiClient.patch(id, "{\"epoch\": 1, \"status\": \"Success\"}").status())
        .isEqualTo(409);
    assertThat(testApiClient.patch(id, "{\"epoch\": 1, \"priority\": 9}").status()).isEqualTo(409);
    assertThat(testApiClient.put(id, "{\"epoch\": 1, \"new_success\": 1}").status()).isEqualTo(409);
    assertThat(testApiClient.heartbeat(id, "{\"epoch\": 1}").status()).isEqualTo(409);
    assertThat(testApiClient.show(id)).isEqualTo(before);
  }
}

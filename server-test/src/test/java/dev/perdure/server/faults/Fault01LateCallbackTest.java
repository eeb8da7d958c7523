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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Fault: a late settlement of one attempt ends the next attempt. */
@Tag("slow")
class Fault01LateCallbackTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void a_failed_attempt_does_not_end_its_retry(TestDatabase database) throws IOException {
    try (TestServer server = database.server(folder)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submitJob(TestApiClient.AT_ONCE);
      client.claimOne();
      client.patch(id, "{\"epoch\": 1, \"status\": \"Failure\"}");
      assertThat(client.claimOne().get("epoch").longValue()).isEqualTo(2);

      assertFirstWorkerRejected(client, id);
      assertThat(client.patch(id, "{\"epoch\": 2, \"status\": \"Success\"}").status())
          .isEqualTo(200);
      assertThat(client.show(id).get("attempts")).hasSize(2);
    }
  }

  /** The attempt is the same but the lease is not, so the attempt number cannot tell them apart. */
  @ParameterizedTest
  @EnumSource
  void a_worker_with_an_expired_lease_does_not_end_the_next_lease(TestDatabase database)
      throws IOException {
    try (TestServer server = database.server(folder)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submitJob(TestApiClient.AT_ONCE);
      client.claim(", \"lease\": \"1s\"");
      JsonNode next = client.claimOne();
      assertThat(next.get("epoch").longValue()).isEqualTo(2);
      assertThat(next.get("attempt").longValue()).isZero();

      assertFirstWorkerRejected(client, id);
      assertThat(client.patch(id, "{\"epoch\": 2, \"status\": \"Success\"}").status())
          .isEqualTo(200);
      assertFirstWorkerRejected(client, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_canceled_attempt_does_not_end_the_revived_task(TestDatabase database) throws IOException {
    try (TestServer server = database.server(folder)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submitJob(TestApiClient.AT_ONCE);
      client.claimOne();
      server.request("DELETE", "/task/" + id);
      assertFirstWorkerRejected(client, id);
      server.post("/task/" + id + "/retry", "{}");
      assertFirstWorkerRejected(client, id);
      client.claimOne();
      assertFirstWorkerRejected(client, id);
    }
  }

  /** A callee uses a handle instead of an epoch. */
  @ParameterizedTest
  @EnumSource
  void a_handle_does_not_end_the_next_attempt(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server =
            database.server(
                folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED))) {
      TestApiClient client = new TestApiClient(server);
      String id =
          client.submit(
              "{\"kind\": \"etl\", \"retry\": %s, \"on_start\": %s}"
                  .formatted(TestApiClient.AT_ONCE, receiver.action("/start")));
      String first = receiver.next().target();
      assertThat(server.send("PATCH", first, "{\"status\": \"Failure\"}").status()).isEqualTo(200);
      String second = receiver.next().target();

      assertThat(server.send("PATCH", first, "{\"status\": \"Success\"}").status()).isEqualTo(409);
      assertThat(server.send("PUT", first, "{\"new_success\": 1}").status()).isEqualTo(409);
      assertThat(client.status(id)).isEqualTo("Running");
      assertThat(server.send("PATCH", second, "{\"status\": \"Success\"}").status()).isEqualTo(200);
      assertThat(client.show(id).get("success").longValue()).isZero();
    }
  }

  /** Nothing that the first worker sends changes the task. */
  private static void assertFirstWorkerRejected(TestApiClient client, String id)
      throws IOException {
    JsonNode before = stored(client, id);
    assertThat(client.patch(id, "{\"epoch\": 1, \"status\": \"Success\"}").status()).isEqualTo(409);
    assertThat(client.patch(id, "{\"epoch\": 1, \"priority\": 9}").status()).isEqualTo(409);
    assertThat(client.put(id, "{\"epoch\": 1, \"new_success\": 1}").status()).isEqualTo(409);
    assertThat(client.heartbeat(id, "{\"epoch\": 1}").status()).isEqualTo(409);
    assertThat(stored(client, id)).isEqualTo(before);
  }

  /** Without what depends on the time: a task that is due cannot be started earlier. */
  private static JsonNode stored(TestApiClient client, String id) throws IOException {
    return ((ObjectNode) client.show(id)).without("allowed");
  }
}

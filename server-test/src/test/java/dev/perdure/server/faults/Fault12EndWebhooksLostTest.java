// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.ServerProcess;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.Reply;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Fault: the server dies after it records the end of a task, and the webhooks are never sent. */
@Tag("slow")
class Fault12EndWebhooksLostTest {

  private static final String POLICY =
      "--delivery-retry={\"max_retries\": 9, \"jitter\": \"none\","
          + " \"backoff\": {\"type\": \"fixed\", \"delay\": \"8s\"}}";

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void the_next_server_sends_the_webhook(TestDatabase kind) throws Exception {
    String database = ServerProcess.database(kind, folder);
    int port;
    String id;
    try (WebhookReceiver busy = WebhookReceiver.replyingWith(call -> Reply.of(503));
        ServerProcess first = ServerProcess.start(folder, database, POLICY)) {
      port = busy.port();
      id =
          first.submit(
              """
              {"kind": "job", "on_success": [
                {"kind": "Webhook", "params": {"url": "http://127.0.0.1:%d/end", "verb": "Post"}}]}"""
                  .formatted(port));
      JsonNode lease =
          first
              .send("POST", "/task/claim", "{\"worker\": \"ada\", \"kinds\": [\"job\"]}")
              .json()
              .get(0);
      String end = "{\"epoch\": %s, \"status\": \"Success\"}".formatted(lease.get("epoch"));
      assertThat(first.send("PATCH", "/task/" + id, end).status()).isEqualTo(200);
      // The delivery was tried once and waits for its retry.
      Eventually.await(
          () -> first.send("GET", "/delivery?task=" + id, "").json(),
          found -> found.size() == 1 && found.get(0).get("attempt").longValue() == 1);
      first.kill();
    }
    try (WebhookReceiver receiver = WebhookReceiver.at(port, call -> Reply.of(200));
        ServerProcess second = ServerProcess.start(folder, database, POLICY)) {
      WebhookReceiver.ReceivedCall call = receiver.next();
      assertThat(call.header("Idempotency-Key")).isEqualTo(id + ":end:success:0:0");
      assertThat(call.json().get("status").stringValue()).isEqualTo("Success");
      JsonNode sent =
          Eventually.await(
              () -> second.send("GET", "/delivery?state=sent", "").json(),
              found -> found.size() == 1);
      assertThat(sent.get(0).get("task_id").stringValue()).isEqualTo(id);
    }
  }
}

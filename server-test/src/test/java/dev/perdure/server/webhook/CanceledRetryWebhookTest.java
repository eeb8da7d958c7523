// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.ReceivedCall;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The webhook of a task that is canceled while its retry waits. */
@Tag("slow")
class CanceledRetryWebhookTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void on_cancel_sends_the_same_failure_as_the_api_shows(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server =
            database.server(
                folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED))) {
      TestApiClient client = new TestApiClient(server);
      String id =
          client.submit(
              "{\"kind\": \"job\", \"retry\": %s, \"on_cancel\": [%s, %s]}"
                  .formatted(
                      TestApiClient.LATER,
                      receiver.action("/summary"),
                      receiver.action("/body", ", \"body\": [\"{{task.failure_reason}}\"]")));
      String failed =
          """
          {"epoch": %s, "status": "Failure", "failure_reason": "no luck", "failure_code": "busy"}"""
              .formatted(client.claimOne().get("epoch"));
      assertThat(client.patch(id, failed).status()).isEqualTo(200);
      assertThat(server.request("DELETE", "/task/" + id).status()).isEqualTo(200);

      ReceivedCall one = receiver.next();
      ReceivedCall two = receiver.next();
      boolean ordered = one.path().equals("/summary");
      JsonNode summary = (ordered ? one : two).json();
      JsonNode task = client.show(id);
      assertThat(task.get("failure_reason").stringValue()).isEqualTo("no luck");
      for (String field : List.of("failure_kind", "failure_code", "failure_reason")) {
        assertThat(summary.get(field)).as(field).isEqualTo(task.get(field));
      }
      assertThat((ordered ? two : one).body()).isEqualTo("[\"no luck\"]");
    }
  }
}

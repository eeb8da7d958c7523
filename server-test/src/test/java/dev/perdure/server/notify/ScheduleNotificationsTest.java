// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.webhook.WebhookSettings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Notifications that a schedule asks for. */
class ScheduleNotificationsTest {

  private static final String SUCCESS = "\"status\": \"Success\"";

  @TempDir private Path folder;
  private WebhookReceiver service;
  private TestServer server;
  private TestApiClient client;

  @BeforeEach
  void start() {
    service = WebhookReceiver.replyingOk();
    server =
        TestServer.in(
            folder,
            Map.of(
                WebhookSettings.WEBHOOK_ALLOW,
                WebhookReceiver.ALLOWED,
                ChannelSettings.CHANNELS,
                "{\"dev\": {\"type\": \"slack\", \"url\": \"http://127.0.0.1:%d/services/T0\"}}"
                    .formatted(service.port())));
    client = new TestApiClient(server);
  }

  @AfterEach
  void stop() {
    server.close();
    service.close();
  }

  private RawResponse create(String name, String submission, String channel) throws Exception {
    return server.post(
        "/schedule",
        """
        {"name": "%s", "trigger": {"every": "1h"}, %s,
         "notify": [{"on": ["success"], "channel": "%s"}]}"""
            .formatted(name, submission, channel));
  }

  private String nextText() throws Exception {
    return service.next().json().get("text").stringValue();
  }

  @Test
  void are_sent_for_its_task() throws Exception {
    JsonNode created = create("one", "\"task\": {\"kind\": \"job\"}", "dev").json();
    assertThat(created.get("notify")).hasToString("[{\"on\":[\"success\"],\"channel\":\"dev\"}]");

    server.post("/schedule/one/trigger", "");
    client.settleOne(SUCCESS);

    assertThat(nextText()).startsWith("✓ job succeeded");
  }

  @Test
  void are_sent_once_for_its_whole_batch() throws Exception {
    create(
        "two",
        "\"batch\": {\"name\": \"pair\", \"tasks\": [{\"kind\": \"job\"}, {\"kind\": \"job\"}]}",
        "dev");

    server.post("/schedule/two/trigger", "");
    client.settleOne(SUCCESS);
    client.settleOne(SUCCESS);

    assertThat(nextText()).startsWith("✓ Batch pair succeeded");
    assertThat(service.count()).isEqualTo(1);
  }

  @Test
  void to_an_unknown_channel_are_refused() throws Exception {
    RawResponse refused = create("three", "\"task\": {\"kind\": \"job\"}", "ops");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().get("errors").get(0).get("path").stringValue())
        .isEqualTo("notify[0].channel");
    assertThat(server.get("/schedule/three").status()).isEqualTo(404);
  }
}

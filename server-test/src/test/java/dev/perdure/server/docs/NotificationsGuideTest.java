// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.ServerSettings;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestServer;
import dev.perdure.server.UnusedPort;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.ConfigurationFile;
import dev.perdure.server.config.Settings;
import dev.perdure.server.notify.ChannelSettings;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Sends the requests of the guide to notifications to a real server. */
class NotificationsGuideTest {

  private static final Pattern CURL = Pattern.compile("(?s)curl .*?/task .*?-d '([^']*)'\n");
  private static final Pattern YAML = Pattern.compile("(?s)```yaml\n(.*?)```");
  private static final Pattern SHOWN = Pattern.compile("(?s)```text\n(↻.*?)\n```");

  @TempDir private Path folder;
  private final String guide = read();

  private static String read() {
    try {
      return Files.readString(Path.of("../docs/guides/notifications.md"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String first(Pattern pattern, String text) {
    return pattern.matcher(text).results().findFirst().orElseThrow().group(1);
  }

  /** The channels of the guide, all at this service. */
  private String channels(WebhookReceiver service) throws IOException {
    String here =
        first(YAML, guide)
            .replace("https://alerts.example.org", service.url(""))
            .replace("type: telegram", "type: telegram\n    url: " + service.url(""));
    String complete =
        here.replace("${TELEGRAM_TOKEN}", "1:a")
            .replace("${SLACK_URL}", service.url("/slack"))
            .replace("${HOOK_SECRET}", "whsec_" + "c2VjcmV0".repeat(4));
    Path file = Files.writeString(folder.resolve("perdure.yaml"), complete);
    return Configuration.of(
            ServerSettings.ALL, List.of(ConfigurationFile.read(ServerSettings.ALL, file)))
        .entry(ChannelSettings.CHANNELS)
        .text();
  }

  @Test
  void every_request_is_accepted_and_the_message_looks_as_shown() throws Exception {
    List<MatchResult> requests = CURL.matcher(guide).results().toList();
    assertThat(requests).hasSize(guide.split("\ncurl ", -1).length - 1).hasSize(2);
    String port = Integer.toString(UnusedPort.next());
    String hostUrl = "http://localhost:" + port;
    try (WebhookReceiver service = WebhookReceiver.replyingOk();
        TestServer server =
            TestServer.in(
                folder,
                Map.of(
                    Settings.PORT,
                    port,
                    Settings.HOST_URL,
                    hostUrl,
                    WebhookSettings.WEBHOOK_ALLOW,
                    WebhookReceiver.ALLOWED,
                    ChannelSettings.CHANNELS,
                    channels(service)))) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(requests.getFirst().group(1));
      String text = "";
      for (int attempt = 0; attempt < 2; attempt++) {
        JsonNode lease =
            server
                .post("/task/claim", "{\"worker\": \"w\", \"kinds\": [\"import\"]}")
                .json()
                .get(0);
        client.settle(
            lease,
            "\"status\": \"Failure\", \"failure_status\": 503,"
                + " \"failure_reason\": \"the shop is closed\"");
        server.post("/task/" + id + "/retry", "{}");
        text = service.next("/slack").json().get("text").stringValue();
      }

      assertThat(generic(text, hostUrl))
          .isEqualTo(generic(first(SHOWN, guide), "https://tasks.example.org"));
      assertThat(server.post("/task", requests.getLast().group(1)).status()).isEqualTo(201);
    }
  }

  private static String generic(String text, String hostUrl) {
    return text.replace(hostUrl, "HOST")
        .replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "ID")
        .replaceAll("20[0-9: -]+UTC", "INSTANT");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.ReceivedCall;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.config.LogFormat;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.log.Logging;
import dev.perdure.server.webhook.WebhookSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.event.Level;
import tools.jackson.databind.JsonNode;

/** Lists and tests channels, and shows no secret of theirs anywhere. */
@Isolated("It reads the log of the whole process.")
class ChannelRoutesTest {

  private static final String SIGNING_SECRET = "whsec_" + "Z2VoZWlt".repeat(4);

  @TempDir private Path folder;
  private WebhookReceiver service;
  private TestServer server;
  private TestApiClient client;

  @BeforeEach
  void start() {
    Logging.configure(LogFormat.JSON, Level.DEBUG);
    Logging.toFile(folder.resolve("perdure.log"));
    service = WebhookReceiver.replyingOk();
    server =
        TestServer.in(
            folder,
            Map.of(
                WebhookSettings.WEBHOOK_ALLOW,
                WebhookReceiver.ALLOWED,
                WebhookSettings.DELIVERY_RETRY,
                "{\"max_retries\": 1, \"backoff\": {\"type\": \"immediate\"}}",
                ChannelSettings.CHANNELS,
                """
                {"ops": {"type": "telegram", "chat": -815, "token": "4711:geheim", "url": "%1$s"},
                 "dev": {"type": "slack", "url": "%1$s/services/geheim"},
                 "hook": {"type": "webhook", "url": "%1$s/geheim?k=geheim", "secret": "%2$s"},
                 "closed": {"type": "slack", "url": "http://127.0.0.1:1/geheim"},
                 "private": {"type": "webhook", "url": "http://10.0.0.7/geheim"}}"""
                    .formatted("http://127.0.0.1:" + service.port(), SIGNING_SECRET)));
    client = new TestApiClient(server);
  }

  @AfterEach
  void stop() {
    server.close();
    service.close();
    Logging.configure(LogFormat.TEXT, Level.INFO);
    Logging.toStandardError();
  }

  private JsonNode test(String channel) throws Exception {
    RawResponse response = server.post("/channel/" + channel + "/test", "");
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json();
  }

  @Test
  void lists_names_and_types() throws Exception {
    assertThat(server.get("/channel").json().toString())
        .isEqualTo(
            """
            [{"name":"ops","type":"telegram"},{"name":"dev","type":"slack"},\
            {"name":"hook","type":"webhook"},{"name":"closed","type":"slack"},\
            {"name":"private","type":"webhook"}]""");
  }

  @Test
  void a_test_message_arrives_at_once() throws Exception {
    for (String channel : List.of("ops", "dev", "hook")) {
      assertThat(test(channel).get("sent").booleanValue()).isTrue();
      ReceivedCall call = service.next();
      assertThat(call.json().get("text").stringValue())
          .isEqualTo(
              "Test message for the channel %s: notifications arrive here.".formatted(channel));
    }
    assertThat(server.get("/delivery").json()).isEmpty();
  }

  @Test
  void a_test_says_why_it_failed() throws Exception {
    service.replyWith(
        call -> Reply.of(400, "{\"ok\": false, \"description\": \"Bad Request: chat not found\"}"));
    JsonNode refused = test("ops");
    assertThat(refused.get("sent").booleanValue()).isFalse();
    assertThat(refused.get("failure_status").intValue()).isEqualTo(400);
    assertThat(refused.get("failure_reason").stringValue())
        .isEqualTo("the channel answered with status 400: Bad Request: chat not found");

    assertThat(test("closed").get("failure_reason").stringValue())
        .isEqualTo("the channel cannot be reached: ConnectException");
    assertThat(test("private").get("failure_reason").stringValue())
        .isEqualTo(
            "the address of the channel is not allowed: it is not public; add it to WEBHOOK_ALLOW");
  }

  @Test
  void an_unknown_channel_is_not_found() throws Exception {
    RawResponse unknown = server.post("/channel/nope/test", "");

    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.json().get("detail").stringValue()).isEqualTo("there is no channel 'nope'");
  }

  @Test
  void tests_count_towards_the_limit() throws Exception {
    for (int i = 0; i < 20; i++) {
      test("dev");
    }
    RawResponse refused = server.post("/channel/dev/test", "");

    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.header("Retry-After")).contains("60");
    assertThat(refused.json().get("title").stringValue()).isEqualTo("Too Many Requests");
    assertThat(refused.json().get("detail").stringValue())
        .isEqualTo(
            "Rate limit reached: the channel dev cannot get another message now; try again in a minute");
    assertThat(service.count()).isEqualTo(20);
    test("hook");
  }

  @Test
  void a_test_is_recorded_in_the_audit_log() throws Exception {
    test("dev");

    JsonNode entry =
        Eventually.await(() -> server.get("/audit?subject=dev").json(), found -> !found.isEmpty())
            .get(0);
    assertThat(entry.get("action").stringValue()).isEqualTo("test channel");
    assertThat(entry.get("subject").stringValue()).isEqualTo("dev");
  }

  @Test
  void no_secret_is_shown_or_logged_whatever_the_services_answer() throws Exception {
    service.replyWith(
        call ->
            new Reply(
                call.path().contains("services") ? 500 : 404,
                Map.of("X-Token", "4711:geheim"),
                "{\"ok\": false, \"description\": \"no 4711:geheim at %s\"}"
                    .formatted(call.path())));
    StringBuilder seen = new StringBuilder();
    List<String> channels = List.of("ops", "dev", "hook", "closed", "private");
    for (String channel : channels) {
      seen.append(test(channel));
      client.submit(
          "{\"kind\": \"job\", \"notify\": [{\"on\": [\"failure\"], \"channel\": \"%s\"}]}"
              .formatted(channel));
      client.settleOne("\"status\": \"Failure\", \"failure_reason\": \"no luck\"");
    }
    Eventually.await(
        () -> server.get("/delivery?state=dead").json(), found -> found.size() == channels.size());
    for (String path : List.of("/delivery", "/channel", "/audit", "/task", "/node", "/metrics")) {
      seen.append(server.get(path).body());
    }
    for (JsonNode task : server.get("/task").json()) {
      seen.append(server.get("/task/" + task.get("id").stringValue()).body());
    }
    seen.append(server.post("/channel/geheimer/test", "").body().replace("geheimer", ""));
    seen.append(
        server
            .post(
                "/task",
                "{\"kind\": \"job\", \"notify\": [{\"on\": [\"failure\"], \"channel\": \"x\"}]}")
            .body());
    server.close();
    String log = Files.readString(folder.resolve("perdure.log"));

    assertThat(log).contains("delivery given up");
    assertThat(seen.append(log).toString())
        .doesNotContain("geheim", "4711", "-815", "Z2VoZWlt", "10.0.0.7/", "127.0.0.1:1/");
  }
}

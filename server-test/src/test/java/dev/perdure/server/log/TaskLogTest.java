// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.config.LogFormat;
import dev.perdure.server.webhook.WebhookSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every line that is logged for a task names the task. */
@Isolated
class TaskLogTest {

  private static final Logger MAILER = LoggerFactory.getLogger("com.example.Mailer");
  private static final String KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  private static final String OTHER_KEY = "ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=";

  @TempDir private Path folder;

  @BeforeEach
  void logToFile() {
    Logging.configure(LogFormat.JSON, Level.INFO);
    Logging.toFile(folder.resolve("perdure.log"));
  }

  @AfterEach
  void restoreDefaults() {
    Logging.configure(LogFormat.TEXT, Level.INFO);
    Logging.toStandardError();
  }

  private List<JsonNode> await(int count, Predicate<JsonNode> wanted) throws Exception {
    return Eventually.await(
        () ->
            Files.readString(folder.resolve("perdure.log"))
                .lines()
                .map(line -> JsonMapper.shared().readTree(line))
                .filter(wanted)
                .toList(),
        lines -> lines.size() >= count);
  }

  private static void assertFields(JsonNode line, JsonNode task, int attempt) {
    assertThat(line.get("node").stringValue()).isEqualTo("tester");
    assertThat(line.get("task")).isEqualTo(task.get("id"));
    assertThat(line.get("batch")).isEqualTo(task.get("batch_id"));
    assertThat(line.get("kind")).isEqualTo(task.get("kind"));
    assertThat(line.get("attempt").intValue()).isEqualTo(attempt);
  }

  @Test
  void a_handlers_lines_name_its_task() throws Exception {
    try (TestServer server =
        TestServer.in(
            folder,
            Map.of(),
            engine ->
                engine.register(
                    "job",
                    JsonNode.class,
                    (payload, context) -> {
                      MAILER.atInfo().addKeyValue("to", "ann").log("sending");
                      MDC.put("left", "behind");
                      if (context.attempt() == 0) {
                        throw new IllegalStateException("try again");
                      }
                    }))) {
      TestApiClient client = new TestApiClient(server);
      JsonNode task = client.show(client.submitJob(TestApiClient.AT_ONCE));

      List<JsonNode> lines = await(2, line -> line.get("message").stringValue().equals("sending"));

      assertFields(lines.get(0), task, 0);
      assertFields(lines.get(1), task, 1);
      assertThat(lines)
          .allSatisfy(line -> assertThat(line.get("to").stringValue()).isEqualTo("ann"));
      assertThat(lines.get(1).has("left")).isFalse();
    }
  }

  @Test
  void the_lines_of_a_webhook_call_name_its_task() throws Exception {
    try (WebhookReceiver receiver =
            WebhookReceiver.replyingWith(call -> Reply.of(200, "x".repeat(100_000)));
        TestServer server =
            TestServer.in(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED))) {
      TestApiClient client = new TestApiClient(server);
      JsonNode task =
          client.show(
              client.submit(
                  """
                  {"kind": "call", "on_start": {"kind": "Webhook", "params":
                   {"url": "%s", "verb": "Post", "completion": "response"}}}"""
                      .formatted(receiver.url("/big"))));

      List<JsonNode> lines =
          await(1, line -> line.get("logger").stringValue().endsWith("StartWebhookHandler"));

      assertFields(lines.getFirst(), task, 0);
    }
  }

  @Test
  void the_lines_of_a_delivery_name_its_task() throws Exception {
    String id;
    try (TestServer server =
        TestServer.in(
            folder,
            Map.of(
                WebhookSettings.WEBHOOK_ALLOW,
                WebhookReceiver.ALLOWED,
                WebhookSettings.SECRETS_KEY,
                KEY))) {
      id =
          new TestApiClient(server)
              .submit(
                  """
                  {"kind": "job", "on_success": [{"kind": "Webhook", "params":
                   {"url": "http://127.0.0.1:9/", "verb": "Post",
                    "headers": {"Authorization": "Bearer s3cret-of-ours"}}}]}""");
    }
    try (TestServer server =
        TestServer.in(
            folder,
            Map.of(
                WebhookSettings.WEBHOOK_ALLOW,
                WebhookReceiver.ALLOWED,
                WebhookSettings.SECRETS_KEY,
                OTHER_KEY),
            engine -> engine.register("job", JsonNode.class, (payload, context) -> {}))) {
      JsonNode task = new TestApiClient(server).show(id);

      JsonNode line =
          await(1, it -> it.get("logger").stringValue().endsWith("WebhookDeliverySender"))
              .getFirst();

      assertThat(line.get("node").stringValue()).isEqualTo("tester");
      assertThat(line.get("task").stringValue()).isEqualTo(id);
      assertThat(line.get("batch")).isEqualTo(task.get("batch_id"));
      assertThat(line.get("trigger").stringValue()).isEqualTo("on_success");
      assertThat(line.get("delivery").stringValue()).isNotBlank();
    }
  }
}

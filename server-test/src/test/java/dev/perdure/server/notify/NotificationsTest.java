// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.UnusedPort;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.ReceivedCall;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.webhook.WebhookSettings;
import dev.perdure.server.webhook.sign.WebhookSigner;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Notifications of a server, from the submission to the service. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class NotificationsTest {

  private static final String SECRET = "whsec_" + "c2VjcmV0".repeat(4);
  private static final String ALL =
      "\"notify\": [{\"on\": [\"success\", \"retry\", \"exhausted\", \"failure\"], \"channel\": \"%s\"}]";
  private static final String NO_LUCK =
      "\"status\": \"Failure\", \"failure_reason\": \"no luck\", \"failure_code\": \"no_slots\"";

  private final TestDatabase database;

  @TempDir private Path folder;
  private String hostUrl;
  private WebhookReceiver service;
  private TestServer server;
  private TestApiClient client;

  NotificationsTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    service = WebhookReceiver.replyingOk();
    String port = Integer.toString(UnusedPort.next());
    hostUrl = "http://localhost:" + port;
    server =
        database.server(
            folder,
            Map.of(
                Settings.PORT,
                port,
                Settings.HOST_URL,
                hostUrl + "/",
                WebhookSettings.WEBHOOK_ALLOW,
                WebhookReceiver.ALLOWED,
                ChannelSettings.CHANNELS,
                """
                {"ops": {"type": "telegram", "chat": "@team", "token": "12:bot", "url": "%1$s/"},
                 "dev": {"type": "slack", "url": "%1$s/services/T0"},
                 "hook": {"type": "webhook", "url": "%1$s/hook?a=b", "secret": "%2$s"}}"""
                    .formatted("http://127.0.0.1:" + service.port(), SECRET)));
    client = new TestApiClient(server);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
    service.close();
  }

  private String submit(String more) throws Exception {
    return client.submit("{\"kind\": \"job\", %s}".formatted(more));
  }

  private static String text(ReceivedCall call) {
    return call.json().get("text").stringValue();
  }

  private RawResponse host(String method, String target, String body) throws Exception {
    return server.send(method, target, body);
  }

  @Test
  void telegram_gets_the_failure_the_attempt_the_next_try_and_a_link() throws Exception {
    String id =
        submit(
            "\"name\": \"nightly import\", \"retry\": {\"max_retries\": 1, \"backoff\":"
                + " {\"type\": \"immediate\"}}, "
                + ALL.formatted("ops"));
    client.settleOne(NO_LUCK);
    ReceivedCall retry = service.next();
    client.settleOne(NO_LUCK);
    ReceivedCall end = service.next();

    assertThat(retry.method()).isEqualTo("POST");
    assertThat(retry.path()).isEqualTo("/bot12:bot/sendMessage");
    assertThat(retry.json().get("chat_id").stringValue()).isEqualTo("@team");
    assertThat(retry.json().has("parse_mode")).isFalse();
    assertThat(text(retry))
        .matches(
            """
            ↻ nightly import failed and will be tried again
            explicit no_slots: no luck
            Kind job, attempt 0, task %1$s
            %2$s/ui/tasks/%1$s
            Next try at 20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC"""
                .formatted(id, hostUrl));
    assertThat(text(end))
        .isEqualTo(
            """
            ✗ nightly import failed after 2 attempts: no retries are left
            explicit no_slots: no luck
            Kind job, attempt 1, task %1$s
            %2$s/ui/tasks/%1$s"""
                .formatted(id, hostUrl));
  }

  @Test
  void the_next_try_is_when_the_task_says_it_is() throws Exception {
    String id = submit("\"retry\": %s, %s".formatted(TestApiClient.LATER, ALL.formatted("ops")));
    client.settleOne(NO_LUCK);

    String next = client.show(id).get("next_retry_at").stringValue();
    assertThat(text(service.next()))
        .endsWith("Next try at " + next.substring(0, 19).replace('T', ' ') + " UTC");
  }

  @Test
  void slack_text_is_escaped() throws Exception {
    submit(ALL.formatted("dev"));
    client.settleOne("\"status\": \"Failure\", \"failure_reason\": \"<!channel> & <https://x|y>\"");
    ReceivedCall call = service.next();

    assertThat(call.path()).isEqualTo("/services/T0");
    assertThat(text(call))
        .contains(
            "✗ job failed after 1 attempt\nexplicit: &lt;!channel&gt; &amp; &lt;https://x|y&gt;\n");
  }

  @Test
  void a_webhook_gets_signed_json() throws Exception {
    String id = submit(ALL.formatted("hook"));
    client.settleOne("\"status\": \"Success\"");
    ReceivedCall call = service.next();

    assertThat(call.path()).isEqualTo("/hook");
    assertThat(call.query()).containsEntry("a", "b");
    JsonNode json = call.json();
    assertThat(json.get("channel").stringValue()).isEqualTo("hook");
    assertThat(json.get("event").stringValue()).isEqualTo("success");
    assertThat(json.get("task_id").stringValue()).isEqualTo(id);
    assertThat(text(call)).startsWith("✓ job succeeded\nKind job, attempt 0, task " + id);
    String messageId = call.header("webhook-id");
    assertThat(messageId).isEqualTo(call.header("idempotency-key")).isNotEmpty();
    Instant sentAt = Instant.ofEpochSecond(Long.parseLong(call.header("webhook-timestamp")));
    assertThat(call.header("webhook-signature"))
        .isEqualTo(
            WebhookSigner.of(SECRET)
                .headers(messageId, sentAt, call.body())
                .get("webhook-signature"));
  }

  @Test
  void an_end_sends_one_message_to_each_channel() throws Exception {
    submit(
        "\"notify\": [{\"on\": [\"failure\"], \"channel\": \"ops\"},"
            + " {\"on\": [\"success\", \"failure\"], \"channel\": \"ops\"},"
            + " {\"on\": [\"failure\", \"exhausted\"], \"channel\": \"dev\"},"
            + " {\"on\": [\"success\", \"exhausted\", \"retry\"], \"channel\": \"hook\"}]");
    client.settleOne(NO_LUCK);

    JsonNode deliveries =
        Eventually.await(
            () -> server.get("/delivery?state=sent").json(), found -> found.size() >= 2);
    assertThat(deliveries.valueStream().map(one -> one.get("channel").stringValue()))
        .containsExactlyInAnyOrder("ops", "dev");
    assertThat(service.count()).isEqualTo(2);
  }

  @Test
  void a_deadline_counts_as_exhausted_and_a_canceled_task_sends_nothing() throws Exception {
    String canceled = submit(ALL.formatted("hook"));
    host("DELETE", "/task/" + canceled, "");
    submit(
        "\"deadline\": \"%s\", %s".formatted(Instant.now().minusSeconds(1), ALL.formatted("hook")));
    ReceivedCall call = service.next();

    assertThat(call.json().get("event").stringValue()).isEqualTo("exhausted");
    assertThat(text(call)).startsWith("✗ job failed after 0 attempts: its time is up");
    assertThat(server.get("/delivery").json()).hasSize(1);
  }

  @Test
  void a_batch_tells_about_each_new_run_and_once_about_its_end() throws Exception {
    RawResponse created =
        server.post(
            "/task",
            """
            {"name": "nightly", "tasks": [{"kind": "job"}], %s,
             "retry": {"max_retries": 1, "backoff": {"type": "immediate"}}}"""
                .formatted(ALL.formatted("hook")));
    String batch = created.header("X-Batch-ID");
    client.settleOne(NO_LUCK);
    ReceivedCall retry = service.next();
    client.settleOne(NO_LUCK);
    ReceivedCall end = service.next();

    assertThat(retry.json().get("event").stringValue()).isEqualTo("retry");
    assertThat(text(retry))
        .startsWith("↻ Batch nightly failed and will be tried again\nno luck\nFirst failed task ")
        .contains("\nRun 0, batch " + batch, "\nNext try at 20");
    assertThat(end.json().get("event").stringValue()).isEqualTo("exhausted");
    assertThat(text(end))
        .startsWith("✗ Batch nightly failed after 2 runs: no retries are left\nno luck\n")
        .endsWith("\nRun 1, batch %1$s\n%2$s/ui/batches/%1$s".formatted(batch, hostUrl));
    assertThat(server.get("/delivery").json()).hasSize(2);
  }

  @Test
  void a_batch_without_retries_fails_and_a_stopped_one_sends_nothing() throws Exception {
    String envelope = "{\"tasks\": [{\"kind\": \"job\"}], %s}".formatted(ALL.formatted("hook"));
    String stopped = server.post("/task", envelope).header("X-Batch-ID");
    host("DELETE", "/batch/" + stopped, "");
    server.post("/task", envelope);
    client.settleOne(NO_LUCK);

    assertThat(service.next().json().get("event").stringValue()).isEqualTo("failure");
    Eventually.await(
        () -> server.get("/batch/" + stopped).json(),
        json -> !json.get("runs").get(0).get("outcome").isNull());
    assertThat(server.get("/delivery").json()).hasSize(1);
  }

  @Test
  void notify_is_shown_as_it_was_given() throws Exception {
    String given = "[{\"on\":[\"retry\",\"failure\"],\"channel\":\"dev\"}]";
    String id = submit("\"notify\": " + given);
    JsonNode task = client.show(id);

    assertThat(task.get("notify")).isEqualTo(JsonMapper.shared().readTree(given));
    assertThat(task.get("actions").isNull()).isTrue();
    assertThat(client.show(client.submit("{\"kind\": \"job\"}")).get("notify")).isEmpty();
    String batch =
        server
            .post("/task", "{\"tasks\": [{\"kind\": \"job\"}], \"notify\": %s}".formatted(given))
            .header("X-Batch-ID");
    assertThat(server.get("/batch/" + batch).json().get("notify"))
        .isEqualTo(JsonMapper.shared().readTree(given));
  }

  @Test
  void a_service_that_hangs_does_not_delay_work_or_webhooks() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    service.replyWith(
        call -> {
          if (call.path().startsWith("/bot")) {
            hanging.await();
          }
          return Reply.of(200);
        });
    try {
      String id =
          submit(
              "\"retry\": %s, \"on_retry\": [%s], %s"
                  .formatted(
                      TestApiClient.AT_ONCE, service.action("/retry"), ALL.formatted("ops")));
      client.settleOne(NO_LUCK);
      service.next("/retry");
      client.settleOne("\"status\": \"Success\"");
      assertThat(client.status(id)).isEqualTo("Success");
    } finally {
      hanging.countDown();
    }
    Eventually.await(
        () -> server.get("/delivery?trigger=notify&state=sent").json(), found -> found.size() == 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "[]                                        | notify               | must have at least one entry; leave it out for no notifications",
        "{}                                        | notify               | must be an array, not an object",
        "[7]                                       | notify[0]            | must be an object, not 7",
        "[{'channel': 'dev'}]                      | notify[0].on         | is required",
        "[{'on': [], 'channel': 'dev'}]            | notify[0].on         | must name at least one of success, retry, exhausted, failure",
        "[{'on': ['fail'], 'channel': 'dev'}]      | notify[0].on[0]      | unknown event 'fail'",
        "[{'on': ['retry', 'retry'], 'channel': 'dev'}] | notify[0].on[1] | 'retry' is there already: name each event once",
        "[{'on': ['retry']}]                       | notify[0].channel    | is required",
        "[{'on': ['retry'], 'channel': 'ofs'}]     | notify[0].channel    | unknown channel 'ofs'; did you mean 'ops'? (ops, dev, hook)",
        "[{'on': ['retry'], 'channel': 'dev', 'x': 1}] | notify[0].x      | unknown field",
      })
  void a_wrong_notify_is_refused(String notify, String path, String message) throws Exception {
    String json = notify.replace('\'', '"');
    for (String body :
        List.of(
            "{\"kind\": \"job\", \"notify\": %s}".formatted(json),
            "{\"tasks\": [{\"kind\": \"job\"}], \"notify\": %s}".formatted(json))) {
      RawResponse refused = server.post("/task", body);
      assertThat(refused.status()).as(refused.body()).isEqualTo(400);
      assertThat(refused.json().get("errors")).hasSize(1);
      JsonNode error = refused.json().get("errors").get(0);
      assertThat(error.get("path").stringValue()).isEqualTo(path);
      assertThat(error.get("message").stringValue()).contains(message);
    }
  }

  @Test
  void a_task_has_at_most_ten_entries() throws Exception {
    String entry = "{\"on\": [\"retry\"], \"channel\": \"dev\"}";
    String body = "{\"kind\": \"job\", \"notify\": [%s]}";

    assertThat(server.post("/task", body.formatted(entry + ("," + entry).repeat(9))).status())
        .isEqualTo(201);
    assertThat(server.post("/task", body.formatted(entry + ("," + entry).repeat(10))).body())
        .contains("has 11 entries, at most 10 are allowed");
  }
}

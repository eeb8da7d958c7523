// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Submitting tasks with webhooks, and what the API shows of them. */
class ActionsSubmissionTest {

  private static final String KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

  private static final String OTHER_KEY = "YWJjZGVmMDEyMzQ1Njc4OTAxMjM0NTY3ODlhYmNkZWY=";

  @TempDir private Path folder;

  @Test
  void all_errors_are_reported_with_their_paths() throws IOException {
    try (TestServer server = TestServer.in(folder)) {
      RawResponse response =
          server.post(
              "/task",
              """
              [{"kind": "etl", "id": "a", "local_id": "b", "dependencies": [1], "rules": [1],
                "dedupe_strategy": [1], "actions": [],
                "on_start": {"kind": "Webhook", "params": {"url": "http://127.0.0.1/", "verb": "Post"}},
                "on_success": [{"kind": "Webhook", "params": {"url": "ftp://x/", "verb": "Post"}},
                               {"kind": "Webhook", "trigger": "start",
                                "params": {"url": "http://example.org/", "verb": "Pots"}}],
                "on_failure": {"kind": "Webhook"}},
               {"kind": "perdure:webhook", "id": "a"}]""");

      assertThat(response.status()).isEqualTo(400);
      assertThat(response.json().get("errors").findValuesAsString("path"))
          .containsExactlyInAnyOrder(
              "[0].local_id",
              "[0].dependencies[0]",
              "[0].rules[0]",
              "[0].dedupe_strategy[0]",
              "[0].actions",
              "[0].on_start.params.url",
              "[0].on_success[0].params.url",
              "[0].on_success[1].trigger",
              "[0].on_success[1].params.verb",
              "[0].on_failure",
              "[1].kind",
              "[1].id");
      assertThat(response.body()).contains("WEBHOOK_ALLOW");
    }
  }

  private static final String TASK_WITH_SECRETS =
      """
      {"kind": "etl", "expected_count": 12, "run_at": "2100-01-01T00:00:00Z",
       "on_start": {"kind": "Webhook", "params": {"url": "http://example.org/a?key=hush-hush",
         "verb": "Put", "headers": {"Authorization": "hush-hush"}, "body": {"x": "hush-hush"}}},
       "on_retry": [{"kind": "Webhook", "params": {"url": "http://example.org/b", "verb": "Get"}}]}""";

  @ParameterizedTest
  @EnumSource
  void secrets_are_never_shown(TestDatabase database) throws IOException {
    for (String key : new String[] {"", KEY}) {
      Map<Setting<?>, String> settings =
          key.isEmpty() ? Map.of() : Map.of(WebhookSettings.SECRETS_KEY, key);
      Path here = Files.createDirectories(folder.resolve("key" + key.length()));
      try (TestServer server = database.server(here, settings)) {
        RawResponse submitted = server.post("/task", TASK_WITH_SECRETS);
        assertThat(submitted.status()).as(submitted.body()).isEqualTo(201);
        String id = submitted.json().get(0).get("id").stringValue();
        RawResponse shown = server.get("/task/" + id);

        assertThat(submitted.body() + shown.body() + server.get("/task").body())
            .doesNotContain("hush-hush");
        JsonNode task = shown.json();
        assertThat(task.get("expected_count").longValue()).isEqualTo(12);
        JsonNode start = task.get("actions").get("on_start").get("params");
        assertThat(start.get("url").stringValue()).isEqualTo("http://example.org/a?…");
        assertThat(start.get("verb").stringValue()).isEqualTo("Put");
        assertThat(start.get("headers")).hasToString("{\"Authorization\":\"…\"}");
        assertThat(start.get("body").stringValue()).isEqualTo("…");
        assertThat(task.get("actions").get("on_retry")).hasSize(1);
      }
    }
  }

  @Test
  void with_a_key_the_database_file_does_not_contain_secrets() throws IOException {
    assertThat(fileAfter("clear", Map.of())).contains("hush-hush");
    assertThat(fileAfter("encrypted", Map.of(WebhookSettings.SECRETS_KEY, KEY)))
        .doesNotContain("hush-hush");
  }

  private String fileAfter(String name, Map<Setting<?>, String> settings) throws IOException {
    Path here = Files.createDirectories(folder.resolve(name));
    try (TestServer server = TestDatabase.SQLITE.server(here, settings)) {
      String id = new TestApiClient(server).submit(TASK_WITH_SECRETS);
      server.request("DELETE", "/task/" + id);
    }
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.list(here)) {
      for (Path file : files.toList()) {
        all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return all.toString();
  }

  @Test
  void an_undecryptable_task_is_parked_until_the_key_is_back() throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingWith(call -> Reply.of(503))) {
      String task =
          "{\"kind\": \"etl\", \"retry\": %s, \"on_start\": %s}"
              .formatted(TestApiClient.LATER, receiver.action("/start"));
      String id;
      try (TestServer right = serverWithKey(KEY)) {
        TestApiClient client = new TestApiClient(right);
        id = client.submit(task);
        Eventually.await(() -> client.status(id), "RetryPending"::equals);
      }
      try (TestServer wrong = serverWithKey(OTHER_KEY)) {
        wrong.request("POST", "/task/%s/retry".formatted(id));
        Eventually.await(
            () -> new TestApiClient(wrong).show(id), now -> now.get("parked").booleanValue());
        JsonNode attempts = new TestApiClient(wrong).show(id).get("attempts");
        assertThat(attempts.get(1).get("outcome").stringValue()).isEqualTo("handed_back");
        assertThat(attempts.get(1).get("message").stringValue()).contains("SECRETS_KEY");
      }
      receiver.replyWith(call -> Reply.of(200));
      try (TestServer right = serverWithKey(KEY)) {
        TestApiClient client = new TestApiClient(right);
        right.request("PATCH", "/task/resume/" + id);
        Eventually.await(() -> client.status(id), "Running"::equals);
        assertThat(client.show(id).get("attempt").longValue()).as("no retry was used").isEqualTo(1);
        assertThat(client.show(id).get("parked").booleanValue()).isFalse();
      }
    }
  }

  private TestServer serverWithKey(String key) {
    return TestServer.in(
        folder,
        Map.of(
            WebhookSettings.WEBHOOK_ALLOW,
            WebhookReceiver.ALLOWED,
            WebhookSettings.SECRETS_KEY,
            key,
            Settings.RETRY_LOOP_INTERVAL_MS,
            "50"));
  }

  @ParameterizedTest
  @EnumSource
  void encrypted_actions_are_decrypted_when_they_are_sent(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingWith(call -> Reply.of(200, "1"));
        TestServer server =
            database.server(
                folder,
                Map.of(
                    WebhookSettings.WEBHOOK_ALLOW,
                    WebhookReceiver.ALLOWED,
                    WebhookSettings.SECRETS_KEY,
                    KEY))) {
      String secret = ", \"headers\": {\"X-Secret\": \"hush\"}, \"body\": \"psst\"";
      new TestApiClient(server)
          .submit(
              "{\"kind\": \"etl\", \"on_start\": %s, \"on_success\": [%s, %s]}"
                  .formatted(
                      receiver.action("/start", secret + ", \"completion\": \"response\""),
                      receiver.action("/end", secret),
                      receiver.action("/end", secret)));
      for (int i = 0; i < 3; i++) {
        WebhookReceiver.ReceivedCall call = receiver.next();
        assertThat(call.header("X-Secret")).isEqualTo("hush");
        assertThat(call.body()).isEqualTo("psst");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_webhooks_of_a_task_have_a_total_limit(TestDatabase database) throws Exception {
    for (String key : new String[] {"", KEY}) {
      Path here = Files.createDirectories(folder.resolve("key" + key.length()));
      try (TestServer server = database.server(here, Map.of(WebhookSettings.SECRETS_KEY, key))) {
        assertThat(isAccepted(server, 1, body("x", 60_000))).isTrue();
        assertThat(isAccepted(server, 2, body("x", 60_000))).isFalse();
        assertThat(isAccepted(server, 1, body("語", 20_000))).isTrue();
        assertThat(isAccepted(server, 10, body("語", 10_000))).isFalse();
        assertThat(isAccepted(server, 1, body("語", 80_000))).isFalse();
        assertThat(isAccepted(server, 20, headers(127)))
            .as("with a key, a redacted copy is stored too")
            .isTrue();
      }
    }
  }

  /** Submits a task with this many webhooks for each trigger; true when it is accepted. */
  private static boolean isAccepted(TestServer server, int times, String params)
      throws IOException {
    String action =
        "{\"kind\": \"Webhook\", \"params\": {\"url\": \"http://example.org/\", \"verb\": \"Post\", %s}}"
            .formatted(params);
    String actions =
        Stream.of("on_success", "on_failure", "on_retry", "on_cancel")
            .map(field -> ", \"%s\": %s".formatted(field, nCopies(times, action)))
            .collect(Collectors.joining());
    RawResponse response =
        server.post(
            "/task",
            "{\"kind\": \"x\", \"run_at\": \"2100-01-01T00:00:00Z\"%s}".formatted(actions));
    assertThat(response.status()).as(response.body()).isIn(201, 400);
    return response.status() == 201;
  }

  private static String body(String character, int times) {
    return "\"body\": \"%s\"".formatted(character.repeat(times));
  }

  private static String headers(int length) {
    return IntStream.range(10, 42)
        .mapToObj(i -> "\"X-%d%s\": \"\"".formatted(i, "a".repeat(length - 4)))
        .collect(Collectors.joining(", ", "\"headers\": {", "}"));
  }

  /** The name is looked up, and its address checked, when the call is made. */
  @ParameterizedTest
  @EnumSource
  void a_name_with_an_internal_address_is_refused_when_it_is_called(TestDatabase database)
      throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server =
            database.server(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, "127.0.0.2"))) {
      TestApiClient client = new TestApiClient(server);
      String action =
          "{\"kind\": \"Webhook\", \"params\": {\"url\": \"http://localhost:%d/\", \"verb\": \"Post\"}}"
              .formatted(receiver.port());
      String id =
          client.submit(
              "{\"kind\": \"etl\", \"retry\": %s, \"on_start\": %s, \"on_failure\": [%s]}"
                  .formatted(TestApiClient.AT_ONCE, action, action));

      JsonNode dead =
          Eventually.await(
              () -> server.get("/delivery?state=dead").json(), found -> found.size() == 1);
      assertThat(dead.get(0).get("failure_reason").stringValue()).contains("WEBHOOK_ALLOW");
      JsonNode task = client.show(id);
      assertThat(task.get("status").stringValue()).isEqualTo("Failure");
      assertThat(task.get("failure_code").stringValue()).isEqualTo("webhook_refused");
      assertThat(task.get("give_up_reason").stringValue()).isEqualTo("not_retryable");
      assertThat(task.get("attempts")).as("a retry would not help").hasSize(1);
      assertThat(receiver.count()).isZero();
    }
  }
}

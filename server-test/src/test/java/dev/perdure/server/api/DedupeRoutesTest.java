// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Dedupe keys over HTTP. */
final class DedupeRoutesTest {

  private static final String SYNC = "{\"kind\": \"sync\", \"dedupe_key\": \"sync-42\"}";

  @TempDir private Path folder;

  private TestServer server(TestDatabase database) throws IOException {
    return TestServer.in(folder, Map.of(Settings.DATABASE_URL, database.url(folder)));
  }

  private static String id(RawResponse response, int position) {
    return response.json().get(position).get("id").stringValue();
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void a_duplicate_is_answered_with_the_live_task(TestDatabase database) throws IOException {
    try (TestServer server = server(database)) {
      RawResponse first = server.post("/task", SYNC);
      assertThat(first.status()).isEqualTo(201);
      assertThat(first.json().get(0).has("deduplicated")).isFalse();

      RawResponse second = server.post("/task", SYNC);
      assertThat(second.status()).isEqualTo(200);
      assertThat(id(second, 0)).isEqualTo(id(first, 0));
      assertThat(second.json().get(0).get("deduplicated").booleanValue()).isTrue();
      assertThat(second.header("X-Batch-ID")).isEqualTo(first.header("X-Batch-ID"));

      RawResponse mixed = server.post("/task", "[{\"kind\": \"other\"}, " + SYNC + "]");
      assertThat(mixed.status()).isEqualTo(201);
      assertThat(mixed.json()).hasSize(2);
      assertThat(mixed.json().get(0).has("deduplicated")).isFalse();
      assertThat(id(mixed, 1)).isEqualTo(id(first, 0));
      assertThat(mixed.header("X-Batch-ID")).isNotEqualTo(first.header("X-Batch-ID"));

      JsonNode shown = server.get("/task/" + id(first, 0)).json();
      assertThat(shown.get("dedupe_key").stringValue()).isEqualTo("sync-42");
      assertThat(server.request("DELETE", "/task/" + id(first, 0)).status()).isEqualTo(200);
      assertThat(server.post("/task", SYNC).status()).as("after the end").isEqualTo(201);
    }
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void a_task_is_not_retried_while_another_one_has_its_key(TestDatabase database)
      throws IOException {
    try (TestServer server = server(database)) {
      String first = id(server.post("/task", SYNC), 0);
      server.request("DELETE", "/task/" + first);
      String second = id(server.post("/task", SYNC), 0);

      RawResponse refused = server.post("/task/" + first + "/retry", "");

      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.json().get("detail").stringValue())
          .contains("task " + second + " has its dedupe key 'sync-42'");
      server.request("DELETE", "/task/" + second);
      assertThat(server.post("/task/" + first + "/retry", "").status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void a_repeated_request_is_answered_like_the_first(TestDatabase database) throws IOException {
    try (TestServer server = server(database)) {
      String existing = id(server.post("/task", SYNC), 0);
      String mixed = "[" + SYNC + ", {\"kind\": \"other\"}]";
      RawResponse first = keyed(server, mixed, "a");
      RawResponse all = keyed(server, SYNC, "b");
      assertThat(first.status()).isEqualTo(201);
      assertThat(all.status()).isEqualTo(200);
      assertThat(all.header("Idempotency-Replayed")).isEmpty();
      server.request("DELETE", "/task/" + existing);

      RawResponse again = keyed(server, mixed, "a");
      RawResponse allAgain = keyed(server, SYNC, "b");

      assertThat(again.status()).isEqualTo(200);
      assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
      assertThat(again.json().findValuesAsString("id"))
          .isEqualTo(first.json().findValuesAsString("id"));
      assertThat(again.json().get(0).get("deduplicated").booleanValue()).isTrue();
      assertThat(allAgain.status()).isEqualTo(200);
      assertThat(allAgain.header("Idempotency-Replayed")).isEqualTo("true");
      assertThat(id(allAgain, 0)).isEqualTo(existing);
    }
  }

  private static RawResponse keyed(TestServer server, String body, String key) throws IOException {
    return RawHttpClient.post(server.port(), "/task", body, "Idempotency-Key: " + key);
  }

  @Test
  void replace_takes_payload_and_due_time() throws IOException {
    try (TestServer server = TestServer.in(folder)) {
      String id = id(server.post("/task", SYNC), 0);

      RawResponse replaced =
          server.post(
              "/task",
              """
              {"kind": "sync", "dedupe_key": "sync-42", "dedupe": "replace", "payload": {"n": 2},
               "run_at": "2030-01-31T12:00:00Z", "retry": {"preset": "queue"}}""");

      assertThat(replaced.status()).isEqualTo(200);
      assertThat(id(replaced, 0)).isEqualTo(id);
      JsonNode task = server.get("/task/" + id).json();
      assertThat(task.get("payload")).hasToString("{\"n\":2}");
      assertThat(task.get("run_at").stringValue()).startsWith("2030-01-31T12:00:00");
      assertThat(task.get("retry")).hasToString("{\"preset\":\"queue\"}");
    }
  }

  @Test
  void a_strategy_compares_kind_and_metadata() throws IOException {
    try (TestServer server = TestServer.in(folder)) {
      String strategy =
          """
          [{"status": "Pending", "kind": "sync", "fields": ["tenant"]},
           {"status": "Running", "kind": "sync", "fields": ["tenant"]}]""";
      String body =
          """
          {"kind": "sync", "metadata": {"tenant": "%s", "n": %d}, "dedupe_strategy": %s}""";
      assertThat(server.post("/task", body.formatted("a", 1, strategy)).status()).isEqualTo(201);
      assertThat(server.post("/task", body.formatted("a", 2, strategy)).status()).isEqualTo(200);
      assertThat(server.post("/task", body.formatted("b", 1, strategy)).status()).isEqualTo(201);
      String without = "{\"kind\": \"sync\", \"dedupe_strategy\": [{\"fields\": [\"tenant\"]}]}";
      assertThat(server.post("/task", without).status()).isEqualTo(201);
      assertThat(server.post("/task", without).status())
          .as("tasks without metadata are duplicates of each other")
          .isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "dedupe_key": ""                                           | dedupe_key | must have 1 to 255
          "dedupe_key": "a", "dedupe": "merge"                       | dedupe | unknown dedupe 'merge'
          "dedupe": "reject"                                         | dedupe | needs 'dedupe_key'
          "dedupe_key": "a", "dedupe_strategy": [{"kind": "k"}]      | dedupe_strategy | send only one
          "dedupe_strategy": [{"kind": "other"}]                     | dedupe_strategy[0].kind | kind of the task, 'k'
          "dedupe_strategy": [{"status": "Success"}]                 | dedupe_strategy[0].status | unknown live status
          "dedupe_strategy": [{"fields": ["a"]}, {"fields": ["b"]}]  | dedupe_strategy | different fields
          "dedupe_strategy": [{"fields": ["a", "a"]}]                | dedupe_strategy[0].fields[1] | each once
          "dedupe_strategy": [{"fields": ["\\u0000"]}]               | dedupe_strategy[0].fields[0] | the name of a metadata field
          "dedupe_strategy": [{"fields": [1,2,3,4,5,6,7,8,9,10,11]}] | dedupe_strategy[0].fields | at most 10
          "dedupe_strategy": [{"filds": ["a"]}]                      | dedupe_strategy[0].filds | did you mean 'fields'
          """)
  void says_what_is_wrong(String fields, String path, String message) throws IOException {
    try (TestServer server = TestServer.in(folder)) {
      RawResponse refused = server.post("/task", "{\"kind\": \"k\", " + fields + "}");

      assertThat(refused.status()).as(refused.body()).isEqualTo(400);
      assertThat(refused.json().get("errors")).hasSize(1);
      assertThat(refused.json().get("errors").get(0).get("path").stringValue()).isEqualTo(path);
      assertThat(refused.json().get("errors").get(0).get("message").stringValue())
          .contains(message);
    }
  }

  @Test
  void a_key_that_may_only_submit_does_not_see_what_others_have_written() throws IOException {
    try (TestServer server = TestServer.in(folder)) {
      String admin = key(server, "", "admin");
      String submitter = key(server, admin, "submit");
      String both = key(server, admin, "submit\", \"read");
      String secret =
          """
          {"kind": "sync", "name": "secret", "metadata": {"secret": 1}, "local_id": "secret",
           "dedupe_key": "sync-42", "retry": {"preset": "http"}}""";
      String id = id(server.request(admin, "POST", "/task", secret), 0);

      RawResponse hidden = server.request(submitter, "POST", "/task", SYNC);
      assertThat(hidden.status()).isEqualTo(200);
      assertThat(id(hidden, 0)).isEqualTo(id);
      assertThat(hidden.body()).doesNotContain("secret", "http");
      assertThat(server.request(both, "POST", "/task", SYNC).body()).contains("secret");

      String child =
          """
          [{"kind": "sync", "id": "a", "dedupe_key": "sync-42"},
           {"kind": "b", "dependencies": [{"id": "a"}]}]""";
      RawResponse refused = server.request(submitter, "POST", "/task", child);
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.json().get("detail").stringValue())
          .startsWith(
              "[1].dependencies[0].id: to depend on a task with a dedupe key, the key needs the"
                  + " role read");
      assertThat(server.request(both, "POST", "/task", child).status()).isEqualTo(201);
    }
  }

  private static String key(TestServer server, String by, String roles) throws IOException {
    String body = "{\"name\": \"%s\", \"roles\": [\"%s\"]}".formatted("k" + roles.length(), roles);
    RawResponse created =
        by.isEmpty() ? server.post("/key", body) : server.request(by, "POST", "/key", body);
    return created.json().get("key").stringValue();
  }
}

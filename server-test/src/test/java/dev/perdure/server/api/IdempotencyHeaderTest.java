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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Submissions with an Idempotency-Key. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class IdempotencyHeaderTest {

  private static final String MAILS =
      """
      [{"kind": "mail", "name": "first", "payload": 12.50}, {"kind": "mail", "name": "second"}]""";

  private final TestDatabase database;
  @TempDir private Path folder;
  private final List<TestServer> servers = new ArrayList<>();

  IdempotencyHeaderTest(TestDatabase database) {
    this.database = database;
  }

  @AfterEach
  void stop() {
    servers.forEach(TestServer::close);
  }

  private TestServer node(String url) {
    TestServer server = TestServer.in(folder, Map.of(Settings.DATABASE_URL, url));
    servers.add(server);
    return server;
  }

  private TestServer node() {
    return node(database.url(folder));
  }

  private static RawResponse submit(TestServer server, String body, String... headers)
      throws IOException {
    return RawHttpClient.post(server.port(), "/task", body, headers);
  }

  private static String taskCount(TestServer server) throws IOException {
    return server.get("/task").header("X-Total-Count");
  }

  @Test
  void a_repeated_request_on_any_node_returns_the_same_tasks() throws IOException {
    String url = database.url(folder);
    TestServer one = node(url);
    TestServer other = node(url);

    RawResponse first = submit(one, MAILS, "Idempotency-Key: order 42");
    RawResponse again = submit(other, MAILS, "Idempotency-Key: order 42");

    assertThat(first.status()).as(first.body()).isEqualTo(201);
    assertThat(first.header("Idempotency-Replayed")).isEmpty();
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(again.header("X-Batch-ID")).isEqualTo(first.header("X-Batch-ID")).isNotEmpty();
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.json().findValuesAsString("name")).containsExactly("first", "second");
    assertThat(taskCount(one)).isEqualTo("2");
    assertThat(other.get("/metrics").body()).doesNotContain("tasks_created_total 2.0");
  }

  @Test
  void a_repeated_request_shows_the_current_state_of_the_tasks() throws IOException {
    TestServer server = node();
    RawResponse first = submit(server, "{\"kind\": \"mail\"}", "Idempotency-Key: a");
    server.request("DELETE", "/task/" + first.json().get(0).get("id").stringValue());

    RawResponse again = submit(server, "{\"kind\": \"mail\"}", "Idempotency-Key: a");

    assertThat(again.json().get(0).get("status").stringValue()).isEqualTo("Canceled");
    assertThat(again.status()).isEqualTo(200);
  }

  @Test
  void only_one_of_several_concurrent_requests_submits() throws Exception {
    String url = database.url(folder);
    TestServer one = node(url);
    TestServer other = node(url);
    List<RawResponse> responses = new ArrayList<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(8)) {
      List<Callable<RawResponse>> work = new ArrayList<>();
      work.addAll(Collections.nCopies(4, () -> submit(one, MAILS, "Idempotency-Key: a")));
      work.addAll(Collections.nCopies(4, () -> submit(other, MAILS, "Idempotency-Key: a")));
      for (Future<RawResponse> future : executor.invokeAll(work, 60, TimeUnit.SECONDS)) {
        responses.add(future.get());
      }
    }

    assertThat(responses)
        .extracting(RawResponse::status)
        .containsOnlyOnce(201)
        .containsOnly(200, 201);
    assertThat(responses).extracting(RawResponse::body).containsOnly(responses.getFirst().body());
    assertThat(taskCount(one)).isEqualTo("2");
  }

  @Test
  void another_body_with_the_same_key_is_rejected() throws IOException {
    TestServer server = node();
    String batch = submit(server, MAILS, "Idempotency-Key: a").header("X-Batch-ID");

    RawResponse response = submit(server, MAILS.replace("second", "third"), "Idempotency-Key: a");

    assertThat(response.status()).isEqualTo(422);
    assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(response.json().get("title").stringValue()).isEqualTo("Unprocessable Content");
    assertThat(response.json().get("detail").stringValue())
        .isEqualTo(
            "Idempotency-Key: the key was used for other tasks, those of batch %s; send the same body again, or use another key"
                .formatted(batch));
    assertThat(taskCount(server)).isEqualTo("2");
    assertThat(submit(server, MAILS.replace("12.50", "12.5"), "Idempotency-Key: a").status())
        .isEqualTo(422);
  }

  @Test
  void white_space_in_the_body_does_not_matter() throws IOException {
    TestServer server = node();
    submit(server, MAILS, "Idempotency-Key: a");

    assertThat(submit(server, MAILS.replace(" ", "\n "), "Idempotency-Key: a").status())
        .isEqualTo(200);
  }

  @Test
  void a_rejected_request_does_not_use_up_its_key() throws IOException {
    TestServer server = node();
    assertThat(submit(server, "{\"knid\": \"mail\"}", "Idempotency-Key: a").status())
        .isEqualTo(400);

    assertThat(submit(server, MAILS, "Idempotency-Key: a").status()).isEqualTo(201);
  }

  @Test
  void requests_with_another_key_or_no_key_submit_again() throws IOException {
    TestServer server = node();
    submit(server, MAILS, "Idempotency-Key: a");

    assertThat(submit(server, MAILS, "Idempotency-Key: A").status()).isEqualTo(201);
    assertThat(submit(server, MAILS).status()).isEqualTo(201);
    assertThat(submit(server, MAILS).status()).isEqualTo(201);
    assertThat(taskCount(server)).isEqualTo("8");
  }

  @Test
  void idempotency_keys_are_scoped_to_the_api_key() throws IOException {
    TestServer server = node();
    String admin = secretOf(server.post("/key", "{\"name\": \"a\", \"roles\": [\"admin\"]}"));
    String other =
        secretOf(
            server.request(admin, "POST", "/key", "{\"name\": \"b\", \"roles\": [\"submit\"]}"));
    String adminKey = "Authorization: Bearer " + admin;
    String otherKey = "Authorization: Bearer " + other;

    assertThat(submit(server, MAILS, "Idempotency-Key: a", adminKey).status()).isEqualTo(201);
    assertThat(submit(server, "{\"kind\": \"x\"}", "Idempotency-Key: a", otherKey).status())
        .isEqualTo(201);
    assertThat(submit(server, MAILS, "Idempotency-Key: a", adminKey).status()).isEqualTo(200);
    assertThat(submit(server, MAILS, "Idempotency-Key: a", otherKey).status()).isEqualTo(422);

    String adminBatch = submit(server, MAILS, "Idempotency-Key: b", adminKey).header("X-Batch-ID");
    RawResponse otherResponse = submit(server, MAILS, "Idempotency-Key: b", otherKey);
    assertThat(otherResponse.status()).isEqualTo(201);
    assertThat(otherResponse.header("X-Batch-ID")).isNotEqualTo(adminBatch);
  }

  private static String secretOf(RawResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json().get("key").stringValue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "é", "a\tb"})
  void an_invalid_key_is_rejected(String key) throws IOException {
    TestServer server = node();
    RawResponse response = submit(server, MAILS, "Idempotency-Key: " + key);

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.json().get("errors").get(0).get("path").stringValue())
        .isEqualTo("Idempotency-Key");
    assertThat(response.body()).contains("1 to 255 printable ASCII characters");
    assertThat(taskCount(server)).isEqualTo("0");
  }

  @Test
  void a_key_has_at_most_255_characters_and_is_sent_once() throws IOException {
    TestServer server = node();

    assertThat(submit(server, MAILS, "Idempotency-Key: " + "k".repeat(255)).status())
        .isEqualTo(201);
    assertThat(submit(server, MAILS, "Idempotency-Key: " + "k".repeat(256)).status())
        .isEqualTo(400);
    assertThat(submit(server, MAILS, "Idempotency-Key: a", "Idempotency-Key: b").status())
        .isEqualTo(400);
  }
}

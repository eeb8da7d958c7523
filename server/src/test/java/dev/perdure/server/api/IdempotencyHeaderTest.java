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

/** Submissions that may be sent again. */
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

  private static String tasks(TestServer server) throws IOException {
    return server.get("/task").header("X-Total-Count");
  }

  @Test
  void the_same_request_on_any_node_is_answered_with_the_same_tasks() throws IOException {
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
    assertThat(tasks(one)).isEqualTo("2");
    assertThat(other.get("/metrics").body()).doesNotContain("tasks_created_total 2.0");
  }

  @Test
  void the_answer_shows_the_tasks_as_they_are_now() throws IOException {
    TestServer server = node();
    RawResponse first = submit(server, "{\"kind\": \"mail\"}", "Idempotency-Key: a");
    server.request("DELETE", "/task/" + first.json().get(0).get("id").stringValue());

    RawResponse again = submit(server, "{\"kind\": \"mail\"}", "Idempotency-Key: a");

    assertThat(again.json().get(0).get("status").stringValue()).isEqualTo("Canceled");
    assertThat(again.status()).isEqualTo(200);
  }

  @Test
  void of_requests_that_come_at_once_one_submits() throws Exception {
    String url = database.url(folder);
    TestServer one = node(url);
    TestServer other = node(url);
    List<RawResponse> rawResponses = new ArrayList<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(8)) {
      List<Callable<RawResponse>> work = new ArrayList<>();
      work.addAll(Collections.nCopies(4, () -> submit(one, MAILS, "Idempotency-Key: a")));
      work.addAll(Collections.nCopies(4, () -> submit(other, MAILS, "Idempotency-Key: a")));
      for (Future<RawResponse> future : executor.invokeAll(work, 60, TimeUnit.SECONDS)) {
        rawResponses.add(future.get());
      }
    }

    assertThat(rawResponses)
        .extracting(RawResponse::status)
        .containsOnlyOnce(201)
        .containsOnly(200, 201);
    assertThat(rawResponses)
        .extracting(RawResponse::body)
        .containsOnly(rawResponses.getFirst().body());
    assertThat(tasks(one)).isEqualTo("2");
  }

  @Test
  void another_body_under_the_same_key_is_refused() throws IOException {
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
    assertThat(tasks(server)).isEqualTo("2");
    assertThat(submit(server, MAILS.replace("12.50", "12.5"), "Idempotency-Key: a").status())
        .isEqualTo(422);
  }

  @Test
  void spaces_between_the_parts_of_a_body_make_no_difference() throws IOException {
    TestServer server = node();
    submit(server, MAILS, "Idempotency-Key: a");

    assertThat(submit(server, MAILS.replace(" ", "\n "), "Idempotency-Key: a").status())
        .isEqualTo(200);
  }

  @Test
  void a_request_that_was_refused_takes_no_key() throws IOException {
    TestServer server = node();
    assertThat(submit(server, "{\"knid\": \"mail\"}", "Idempotency-Key: a").status())
        .isEqualTo(400);

    assertThat(submit(server, MAILS, "Idempotency-Key: a").status()).isEqualTo(201);
  }

  @Test
  void another_key_and_no_key_submit_again() throws IOException {
    TestServer server = node();
    submit(server, MAILS, "Idempotency-Key: a");

    assertThat(submit(server, MAILS, "Idempotency-Key: A").status()).isEqualTo(201);
    assertThat(submit(server, MAILS).status()).isEqualTo(201);
    assertThat(submit(server, MAILS).status()).isEqualTo(201);
    assertThat(tasks(server)).isEqualTo("8");
  }

  @Test
  void each_caller_has_keys_of_its_own() throws IOException {
    TestServer server = node();
    String admin = created(server.post("/key", "{\"name\": \"a\", \"roles\": [\"admin\"]}"));
    String other =
        created(
            server.request(admin, "POST", "/key", "{\"name\": \"b\", \"roles\": [\"submit\"]}"));
    String mine = "Authorization: Bearer " + admin;
    String yours = "Authorization: Bearer " + other;

    assertThat(submit(server, MAILS, "Idempotency-Key: a", mine).status()).isEqualTo(201);
    assertThat(submit(server, "{\"kind\": \"x\"}", "Idempotency-Key: a", yours).status())
        .isEqualTo(201);
    assertThat(submit(server, MAILS, "Idempotency-Key: a", mine).status()).isEqualTo(200);
    assertThat(submit(server, MAILS, "Idempotency-Key: a", yours).status()).isEqualTo(422);

    String ours = submit(server, MAILS, "Idempotency-Key: b", mine).header("X-Batch-ID");
    RawResponse theirs = submit(server, MAILS, "Idempotency-Key: b", yours);
    assertThat(theirs.status()).isEqualTo(201);
    assertThat(theirs.header("X-Batch-ID")).isNotEqualTo(ours);
  }

  private static String created(RawResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json().get("key").stringValue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "é", "a\tb"})
  void a_key_that_is_none_is_refused(String key) throws IOException {
    TestServer server = node();
    RawResponse response = submit(server, MAILS, "Idempotency-Key: " + key);

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.json().get("errors").get(0).get("path").stringValue())
        .isEqualTo("Idempotency-Key");
    assertThat(response.body()).contains("1 to 255 printable ASCII characters");
    assertThat(tasks(server)).isEqualTo("0");
  }

  @Test
  void a_key_has_255_characters_at_most_and_comes_once() throws IOException {
    TestServer server = node();

    assertThat(submit(server, MAILS, "Idempotency-Key: " + "k".repeat(255)).status())
        .isEqualTo(201);
    assertThat(submit(server, MAILS, "Idempotency-Key: " + "k".repeat(256)).status())
        .isEqualTo(400);
    assertThat(submit(server, MAILS, "Idempotency-Key: a", "Idempotency-Key: b").status())
        .isEqualTo(400);
  }
}

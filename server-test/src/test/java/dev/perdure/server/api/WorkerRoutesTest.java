// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@ParameterizedClass
@EnumSource
class WorkerRoutesTest {

  private static final String WAITING =
      "{\"worker\": \"ada\", \"kinds\": [\"job\"], \"wait\": \"60s\"}";

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;
  private TestApiClient client;

  WorkerRoutesTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    server = database.server(folder, Map.of(Settings.MAX_CONCURRENT_REQUESTS, "2"));
    client = new TestApiClient(server);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static Stream<String> paths(RawResponse response) {
    return response
        .json()
        .get("errors")
        .valueStream()
        .map(error -> error.get("path").stringValue());
  }

  @Nested
  class Claiming {

    @Test
    void a_worker_gets_the_task_with_its_payload_and_lease() throws IOException {
      String id = client.submit("{\"kind\": \"job\", \"payload\": {\"n\": 7}}");
      client.submit("{\"kind\": \"another\"}");

      JsonNode leases = client.claim(", \"limit\": 10, \"lease\": \"90s\"");

      assertThat(leases).hasSize(1);
      JsonNode task = leases.get(0);
      assertThat(task.get("id").stringValue()).isEqualTo(id);
      assertThat(task.get("payload").get("n").intValue()).isEqualTo(7);
      assertThat(task.get("status").stringValue()).isEqualTo("Running");
      assertThat(task.get("worker").stringValue()).isEqualTo("ada");
      assertThat(task.get("epoch").longValue()).isEqualTo(1);
      assertThat(
              Duration.between(
                  Instant.parse(task.get("started_at").stringValue()),
                  Instant.parse(task.get("lease_until").stringValue())))
          .isBetween(Duration.ofSeconds(89), Duration.ofSeconds(91));
      assertThat(client.claim("")).as("already claimed").isEmpty();
      assertThat(server.get("/metrics").body()).contains("claim_duration_seconds");
    }

    @Test
    void an_invalid_kind_is_rejected_with_its_path() throws IOException {
      RawResponse response =
          server.post("/task/claim", "{\"worker\": \"w\", \"kinds\": [\"job\", \"\\u0000\"]}");

      assertThat(response.status()).isEqualTo(400);
      assertThat(paths(response)).containsExactly("kinds[1]");
    }

    @Test
    void durations_out_of_range_are_rejected_as_they_were_written() throws IOException {
      RawResponse response = client.tryClaim(", \"lease\": \"10ms\", \"wait\": \"60500ms\"");

      assertThat(response.status()).isEqualTo(400);
      assertThat(response.json().get("errors").findValuesAsString("message"))
          .containsExactly("must be 1s to 1d, not 10ms", "must be 0s to 1m, not 60500ms");
    }

    @Test
    void a_worker_gets_one_task_unless_it_asks_for_more() throws IOException {
      client.submit("[{\"kind\": \"job\"}, {\"kind\": \"job\"}, {\"kind\": \"job\"}]");

      assertThat(client.claim("")).hasSize(1);
      assertThat(client.claim(", \"limit\": 5")).hasSize(2);
    }

    @Test
    void waiting_workers_get_new_tasks_and_do_not_count_as_concurrent_requests() throws Exception {
      List<CompletableFuture<RawResponse>> waiting =
          Stream.generate(() -> client.claimAsync(", \"wait\": \"20s\"")).limit(6).toList();
      for (int i = 0; i < waiting.size(); i++) {
        // This server allows two concurrent requests; waiting workers do not count.
        submitWithRetry();
      }

      List<String> taken =
          waiting.stream()
              .map(response -> response.orTimeout(60, TimeUnit.SECONDS).join().json())
              .map(leases -> leases.get(0).get("id").stringValue())
              .toList();
      assertThat(taken).hasSize(6).doesNotHaveDuplicates();
    }

    /** Repeats on 503: a claim counts as a request until it starts to wait. */
    private void submitWithRetry() throws Exception {
      RawResponse response =
          Eventually.await(
              () -> server.post("/task", "{\"kind\": \"job\"}"), posted -> posted.status() != 503);
      assertThat(response.status()).isEqualTo(201);
    }

    @Test
    void a_worker_beyond_the_waiting_limit_gets_a_503() throws Exception {
      server.close();
      server =
          database.server(
              folder, Map.of(Settings.MAX_CONNECTIONS, "8", Settings.MAX_EVENT_STREAMS, "4"));
      client = new TestApiClient(server);
      List<CompletableFuture<RawResponse>> waiting =
          Stream.generate(() -> client.claimAsync(", \"wait\": \"60s\"")).limit(2).toList();

      RawResponse refused =
          Eventually.await(
              () -> client.tryClaim(", \"wait\": \"1ms\""), response -> response.status() != 200);

      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      assertThat(refused.json().get("detail").stringValue())
          .isEqualTo("2 workers already wait for tasks, which is the limit; try again later");
      assertThat(client.claim("")).as("a claim that does not wait").isEmpty();
      client.submit("[{\"kind\": \"job\"}, {\"kind\": \"job\"}]");
      assertThat(waiting)
          .allSatisfy(
              one -> assertThat(one.orTimeout(20, TimeUnit.SECONDS).join().json()).hasSize(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "0ms", "PT0S"})
    void a_claim_that_does_not_wait_returns_at_once(String wait) throws IOException {
      assertThat(client.claim(", \"wait\": \"%s\"".formatted(wait))).isEmpty();
      String id = client.submitJob(TestApiClient.AT_ONCE);
      assertThat(client.claim(", \"wait\": \"%s\"".formatted(wait)).get(0).get("id").stringValue())
          .isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"soon\"", "\"-1s\"", "0", "\"0\"", "true"})
    void an_invalid_wait_is_rejected(String wait) throws IOException {
      RawResponse response =
          server.post(
              "/task/claim",
              "{\"worker\": \"ada\", \"kinds\": [\"job\"], \"wait\": %s}".formatted(wait));

      assertThat(response.status()).isEqualTo(400);
      assertThat(response.json().get("errors").get(0).get("path").stringValue()).isEqualTo("wait");
    }

    @Test
    void a_wait_without_tasks_ends_with_an_empty_array() throws IOException {
      assertThat(client.claim(", \"wait\": \"200ms\"")).isEmpty();
    }

    @Test
    void a_stopping_server_responds_to_waiting_workers() throws Exception {
      try (RawHttpClient http = sendClaim(WAITING)) {
        server.get("/health");

        server.close();

        // The claim gets a response whether it was already waiting or arrived too late.
        assertThat(http.readResponse().status()).isIn(200, 503);
      }
    }

    @Test
    void a_task_goes_to_the_next_worker_when_the_first_disconnects() throws Exception {
      try (RawHttpClient http = sendClaim(WAITING)) {
        http.disconnect();
      }
      String id = client.submitJob(TestApiClient.LATER);

      JsonNode task = client.claim(", \"wait\": \"10s\"").get(0);

      assertThat(task.get("id").stringValue()).isEqualTo(id);
      assertThat(task.get("losses").intValue()).isZero();
    }

    /** Sends a claim on a separate connection. */
    private RawHttpClient sendClaim(String body) throws IOException {
      return RawHttpClient.to(server.port())
          .send(
              """
              POST /task/claim HTTP/1.1
              Host: localhost
              Content-Type: application/json
              Content-Length: %d

              %s"""
                  .replace("\n", "\r\n")
                  .formatted(body.length(), body));
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            {"kinds": ["job"]}                                        | worker
            {"worker": "", "kinds": ["job"]}                          | worker
            {"worker": "01890000-0000-7000-8000-000000000000", "kinds": ["job"]} | worker
            {"worker": "ada"}                                         | kinds
            {"worker": "ada", "kinds": []}                            | kinds
            {"worker": "ada", "kinds": "job"}                         | kinds
            {"worker": "ada", "kinds": ["perdure:webhook"]}           | kinds
            {"worker": "ada", "kinds": [7]}                           | kinds[0]
            {"worker": "ada", "kinds": ["job"], "limit": 0}           | limit
            {"worker": "ada", "kinds": ["job"], "limit": 1001}        | limit
            {"worker": "ada", "kinds": ["job"], "wait": 5}            | wait
            {"worker": "ada", "kinds": ["job"], "wait": "61s"}        | wait
            {"worker": "ada", "kinds": ["job"], "lease": "10ms"}      | lease
            {"worker": "ada", "kinds": ["job"], "lease": "25h"}       | lease
            {"worker": "ada", "kinds": ["job"], "lim": 1}             | lim
            """)
    void an_invalid_request_is_rejected(String body, String path) throws IOException {
      RawResponse response = server.post("/task/claim", body);

      assertThat(response.status()).as(response.body()).isEqualTo(400);
      assertThat(paths(response)).contains(path);
    }

    @Test
    void a_worker_name_must_be_printable() throws IOException {
      RawResponse response =
          server.post("/task/claim", "{\"worker\": \"w\\u0000\", \"kinds\": [\"job\"]}");

      assertThat(response.status()).isEqualTo(400);
      assertThat(response.json().get("detail").stringValue())
          .isEqualTo("worker: must have 1 to 255 characters, all of them printable");
    }

    @Test
    void an_unknown_field_is_reported_with_the_nearest_known_one() throws IOException {
      assertThat(client.tryClaim(", \"leese\": \"60s\"").body()).contains("did you mean 'lease'?");
      assertThat(server.post("/task/claim", "{\"worker\": ").status()).isEqualTo(400);
      assertThat(server.get("/task/claim").status())
          .as("'claim' is not read as a task id")
          .isEqualTo(405);
    }
  }

  @Nested
  class Heartbeats {

    @Test
    void a_heartbeat_extends_the_lease() throws IOException {
      String id = client.submitJob(TestApiClient.LATER);
      client.claim("");

      RawResponse response = client.heartbeat(id, "{\"epoch\": 1, \"lease\": \"10m\"}");

      assertThat(response.status()).as(response.body()).isEqualTo(200);
      assertThat(response.json().get("epoch").longValue()).isEqualTo(1);
      assertThat(Instant.parse(response.json().get("lease_until").stringValue()))
          .isAfter(Instant.now().plusSeconds(590));
    }

    @Test
    void a_stale_heartbeat_is_rejected() throws IOException {
      String id = client.submitJob(TestApiClient.LATER);
      client.claim("");

      assertThat(client.heartbeat(id, "{\"epoch\": 2}").json().get("detail").stringValue())
          .isEqualTo(
              "task %s is Running in epoch 1: the lease of epoch 2 is not the current one"
                  .formatted(id));
      server.request("DELETE", "/task/" + id);
      RawResponse canceled = client.heartbeat(id, "{\"epoch\": 1}");
      assertThat(canceled.status()).isEqualTo(409);
      assertThat(canceled.json().get("detail").stringValue())
          .isEqualTo("task %s is Canceled in epoch 1: no attempt is running".formatted(id));
      assertThat(client.heartbeat(TestApiClient.UNKNOWN_ID, "{\"epoch\": 1}").status())
          .isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            {}                            | epoch
            {"epoch": 0}                  | epoch
            {"epoch": "1"}                | epoch
            {"epoch": 1, "lease": "1ms"}  | lease
            {"epoch": 1, "least": "60s"}  | least
            """)
    void an_invalid_request_is_rejected(String body, String path) throws IOException {
      RawResponse response = client.heartbeat(client.submitJob(TestApiClient.LATER), body);

      assertThat(response.status()).isEqualTo(400);
      assertThat(paths(response)).containsExactly(path);
    }
  }

  @Nested
  class Counters {

    @Test
    void reports_add_to_the_counters() throws IOException {
      String id = client.submitJob(TestApiClient.LATER);
      client.claim("");

      assertThat(client.put(id, "{\"epoch\": 1, \"new_success\": 3}").status()).isEqualTo(202);
      client.put(id, "{\"epoch\": 1, \"new_success\": 4, \"new_failures\": 1}");
      assertThat(client.put(id, "{\"new_success\": 10}").status()).as("an operator").isEqualTo(202);

      assertThat(client.show(id).get("success").longValue()).isEqualTo(17);
      assertThat(client.show(id).get("failures").longValue()).isEqualTo(1);
    }

    @Test
    void counters_of_a_stale_ended_or_unknown_task_are_rejected() throws IOException {
      String id = client.submitJob(TestApiClient.LATER);
      assertThat(client.put(id, "{\"new_success\": 1}").status()).as("pending").isEqualTo(409);
      client.claim("");
      assertThat(client.put(id, "{\"epoch\": 9, \"new_success\": 1}").status()).isEqualTo(409);
      client.patch(id, "{\"epoch\": 1, \"status\": \"Success\"}");
      assertThat(client.put(id, "{\"epoch\": 1, \"new_success\": 1}").status()).isEqualTo(409);
      assertThat(client.put(id, "{\"new_success\": 1}").status()).isEqualTo(409);
      assertThat(client.put(TestApiClient.UNKNOWN_ID, "{\"new_success\": 1}").status())
          .isEqualTo(404);
      assertThat(client.put(TestApiClient.UNKNOWN_ID, "{\"epoch\": 1}").status()).isEqualTo(404);
      assertThat(client.show(id).get("success").longValue()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            {"new_success": -1}                   | new_success
            {"new_failures": 9223372036854775808} | new_failures
            {"new_success": 1.5}                  | new_success
            {"success": 1}                        | success
            """)
    void an_invalid_request_is_rejected(String body, String path) throws IOException {
      RawResponse response = client.put(client.submitJob(TestApiClient.LATER), body);

      assertThat(response.status()).isEqualTo(400);
      assertThat(paths(response)).containsExactly(path);
    }
  }
}

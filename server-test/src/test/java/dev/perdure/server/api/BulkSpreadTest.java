// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

@ParameterizedClass
@EnumSource
class BulkSpreadTest {

  private static final Duration SPREAD = Duration.ofMinutes(10);

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;
  private TestApiClient client;

  BulkSpreadTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    server = database.server(folder);
    client = new TestApiClient(server);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private String fail(String policy) throws IOException {
    String id = client.submitJob(policy);
    client.claimOne();
    client.patch(id, "{\"status\": \"Failure\", \"failure_reason\": \"order 1 is gone\"}");
    return id;
  }

  private String retryIn(String delay) throws IOException {
    return fail(
        "{\"max_retries\": 9, \"jitter\": \"none\", \"backoff\": {\"type\": \"fixed\", \"delay\": \"%s\"}}"
            .formatted(delay));
  }

  private JsonNode bulk(String rest) throws IOException {
    RawResponse response =
        server.post(
            "/task/bulk", "{\"action\": \"retry\", \"spread\": \"10m\", %s}".formatted(rest));
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json();
  }

  private Instant due(String id) throws IOException {
    return Instant.parse(server.get("/task/" + id).json().path("run_at").asString());
  }

  @Test
  void tasks_are_spread_evenly_and_waiting_retries_keep_their_order() throws IOException {
    String failed = fail("{\"max_retries\": 0}");
    String late = retryIn("3h");
    String early = retryIn("1h");
    String middle = retryIn("2h");
    Instant before = Instant.now().minusSeconds(5);

    JsonNode result = bulk("\"filter\": {\"status\": \"RetryPending,Failure\"}");

    assertThat(result.path("changed").asInt()).isEqualTo(4);
    assertThat(result.path("next").isNull()).isTrue();
    List<Instant> times = new ArrayList<>();
    for (String id : List.of(early, middle, late, failed)) {
      times.add(due(id));
    }
    assertThat(times.getFirst()).isBetween(before, Instant.now().plusSeconds(5));
    for (int i = 1; i < times.size(); i++) {
      assertThat(Duration.between(times.get(i - 1), times.get(i))).isEqualTo(SPREAD.dividedBy(4));
    }
    assertThat(server.get("/task/" + failed).json().path("status").asString()).isEqualTo("Pending");
  }

  @Test
  void a_spread_continues_where_the_request_before_ended() throws IOException {
    List<String> ids = List.of(retryIn("1h"), retryIn("2h"), retryIn("3h"));
    Instant begin = Instant.ofEpochMilli(Instant.now().toEpochMilli());
    String next = "r.1.4.%d.".formatted(begin.toEpochMilli());

    assertThat(
            bulk("\"filter\": {\"status\": \"RetryPending\"}, \"after\": \"%s\"".formatted(next))
                .path("changed")
                .asInt())
        .isEqualTo(3);
    for (int k = 0; k < 3; k++) {
      assertThat(due(ids.get(k))).isEqualTo(begin.plus(SPREAD.dividedBy(4).multipliedBy(k + 1)));
    }
  }

  @Test
  void retries_that_were_moved_are_not_moved_again_when_the_request_is_repeated()
      throws IOException {
    String first = retryIn("1s");
    String second = retryIn("2s");
    Instant begin = Instant.ofEpochMilli(Instant.now().toEpochMilli());
    String request =
        "\"filter\": {\"status\": \"RetryPending\"}, \"after\": \"r.1.3.%d.\""
            .formatted(begin.toEpochMilli());
    assertThat(bulk(request).path("changed").asInt()).isEqualTo(2);
    Instant due = due(first);
    assertThat(due).isBefore(due(second));

    assertThat(bulk(request).path("matched").asInt()).isZero();
    assertThat(due(first)).isEqualTo(due);
  }

  @Test
  void only_the_retries_of_a_window_are_spread() throws IOException {
    String inside = retryIn("1h");
    String outside = retryIn("3h");
    Instant untouched = due(outside);

    JsonNode result =
        bulk(
            "\"filter\": {\"status\": \"RetryPending\", \"due_after\": \"%s\", \"due_before\": \"%s\"}"
                .formatted(due(inside).minusSeconds(60), due(inside).plusSeconds(60)));

    assertThat(result.path("changed").asInt()).isEqualTo(1);
    assertThat(due(inside)).isBefore(Instant.now().plusSeconds(60));
    assertThat(due(outside)).isEqualTo(untouched);
  }

  @Test
  void a_dry_run_shows_what_would_happen() throws IOException {
    String waiting = retryIn("5m");
    fail("{\"max_retries\": 0}");
    String error = server.get("/task/" + waiting).json().path("error").asString();
    Instant before = due(waiting);

    JsonNode result = bulk("\"dry_run\": true, \"filter\": {\"error\": \"%s\"}".formatted(error));

    assertThat(result.path("changed").asInt()).isEqualTo(2);
    assertThat(result.path("by_status").path("Failure").asInt()).isEqualTo(1);
    assertThat(result.path("by_status").path("RetryPending").asInt()).isEqualTo(1);
    assertThat(result.path("example").path("id").asString()).isEqualTo(waiting);
    JsonNode wave = result.path("wave");
    assertThat(wave.path("step_ms").asInt()).isEqualTo(60_000);
    long tasks = wave.path("overdue").asLong();
    for (JsonNode count : wave.path("counts")) {
      tasks += count.asLong();
    }
    assertThat(tasks).isEqualTo(2);
    assertThat(due(waiting)).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'action': 'cancel', 'spread': '1m', 'filter': {'kind': 'k'}} | spread",
        "{'action': 'retry', 'spread': '1ms', 'filter': {'kind': 'k'}} | spread",
        "{'action': 'retry', 'spread': '15d', 'filter': {'kind': 'k'}} | spread",
        "{'action': 'retry', 'spread': '1m', 'after': 'x', 'filter': {'kind': 'k'}} | after",
        "{'action': 'retry', 'spread': '1m', 'after': 'r.1.1.1.x', 'filter': {'kind': 'k'}} | after",
        "{'action': 'retry', 'filter': {'error': 'x'}} | error",
        "{'action': 'retry', 'filter': {'parked': 'x'}} | parked",
      },
      quoteCharacter = '~')
  void a_wrong_field_is_named(String body, String field) throws IOException {
    RawResponse response = server.post("/task/bulk", body.replace('\'', '"'));
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.json().path("errors").get(0).path("path").asString()).endsWith(field);
  }
}

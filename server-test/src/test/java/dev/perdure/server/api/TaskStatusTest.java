// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a task shows of itself: its status, why it has it, and when it is due. */
@ParameterizedClass
@EnumSource
class TaskStatusTest {

  private static final String LATER = "2099-01-01T00:00:00.000Z";
  private static final String FAILURE =
      "{\"status\": \"Failure\", \"failure_reason\": \"no luck\", \"failure_code\": \"no_slots\"}";

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;
  private TestApiClient client;

  TaskStatusTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    server =
        TestServer.in(
            folder,
            Map.of(Settings.DATABASE_URL, database.url(folder)),
            engine ->
                engine.register(
                    "odd",
                    JsonNode.class,
                    (payload, context) -> {
                      throw context.park("its key is not here");
                    }));
    client = new TestApiClient(server);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private String waitingRetry() throws IOException {
    String id = client.submitJob(TestApiClient.LATER);
    client.claimOne();
    assertThat(client.patch(id, FAILURE).json().get("status").stringValue())
        .isEqualTo("RetryPending");
    return id;
  }

  private RawResponse retry(String id, String body) throws IOException {
    return server.post("/task/" + id + "/retry", body);
  }

  private String parked() throws Exception {
    String id = client.submit("{\"kind\": \"odd\"}");
    Eventually.await(() -> client.show(id), task -> task.get("parked").booleanValue());
    return id;
  }

  private String paused(String id) throws IOException {
    assertThat(server.request("PATCH", "/task/pause/" + id).status()).isEqualTo(200);
    return id;
  }

  private List<String> found(String query) throws IOException {
    RawResponse response = server.get("/task?" + query);
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    List<String> ids = response.json().findValuesAsString("id");
    assertThat(response.header("X-Total-Count")).isEqualTo(Integer.toString(ids.size()));
    return ids;
  }

  @Test
  void the_status_filter_finds_what_is_shown_in_any_combination() throws Exception {
    String retry = waitingRetry();
    String pausedRetry = paused(waitingRetry());
    String parked = parked();
    String pending = client.submit("{\"kind\": \"x\"}");
    String paused = paused(client.submit("{\"kind\": \"x\"}"));

    assertThat(found("status=RetryPending")).containsExactly(retry);
    assertThat(found("status=retry_pending")).containsExactly(retry);
    assertThat(found("status=Paused")).containsExactly(paused, pausedRetry);
    assertThat(found("status=PARKED")).containsExactly(parked);
    assertThat(found("status=Pending")).containsExactly(pending);
    assertThat(found("status=paused,%20retry_pending,Parked"))
        .containsExactly(paused, parked, pausedRetry, retry);
    assertThat(found("status=Pending,Paused&sort=created_at"))
        .containsExactly(pausedRetry, pending, paused);
    assertThat(found("status=Paused,RetryPending&sort=next_retry_at"))
        .containsExactly(retry, pausedRetry);
    assertThat(found("status=Paused&sort=next_retry_at")).containsExactly(pausedRetry);
    for (JsonNode task : server.get("/task").json()) {
      assertThat(found("status=" + task.get("status").stringValue()))
          .contains(task.get("id").stringValue());
    }
    JsonNode resumed =
        server
            .post(
                "/task/bulk",
                "{\"action\": \"resume\", \"filter\": {\"status\": [\"paused\", \"Parked\"]}}")
            .json();
    assertThat(resumed.get("changed").intValue()).isEqualTo(3);
  }

  @Test
  void an_unknown_status_is_refused_with_the_known_ones() throws IOException {
    assertThat(server.get("/task?status=retry_pnding").body())
        .contains("unknown status 'retry_pnding'; did you mean 'RetryPending'?")
        .contains("Waiting, Pending, Claimed, Running, RetryPending, Paused, Parked, Success");
    assertThat(server.get("/task?status=Running&sort=next_retry_at").body())
        .contains("exists only for tasks that are RetryPending, Paused, Parked");
  }

  @Test
  void a_parked_task_says_so_and_why() throws Exception {
    JsonNode parked = client.show(parked());

    assertThat(parked.get("status").stringValue()).isEqualTo("Parked");
    assertThat(parked.get("failure_reason").stringValue()).isEqualTo("its key is not here");
    assertThat(parked.get("failure_kind").isNull()).isTrue();
    assertThat(server.get("/task?status=parked").json().get(0).get("failure_reason").stringValue())
        .isEqualTo("its key is not here");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'max_retries':3,'initial_delay_secs':5,'backoff_multiplier':1.50}",
        "{'preset':'queue'}",
        "[{'count':2,'delay_minutes':1}]",
        "{'max_retries':0}",
        "{'max_retries':3,'backoff':{'type':'fixed','delay':'60s'}}"
      })
  void a_policy_comes_back_as_it_was_given(String policy) throws IOException {
    String given = policy.replace('\'', '"');
    String id = client.submitJob(given);

    for (String body :
        List.of(
            server.get("/task/" + id).body(),
            server.get("/task").body(),
            client.tryClaim("").body())) {
      assertThat(body).contains("\"retry\":" + given + ",");
    }
    JsonNode canonical = client.show(id).get("retry_canonical");
    assertThat(canonical.isNull()).isEqualTo(given.equals("{\"max_retries\":0}"));
    assertThat(canonical.isNull() || canonical.has("backoff")).isTrue();
  }

  @Test
  void a_task_without_a_policy_shows_none() throws IOException {
    JsonNode task = client.show(client.submit("{\"kind\": \"x\"}"));

    assertThat(task.get("retry").isNull()).isTrue();
    assertThat(task.get("retry_canonical").isNull()).isTrue();
  }

  @Test
  void a_canceled_retry_shows_why_it_was_waiting() throws IOException {
    String id = waitingRetry();

    JsonNode canceled = server.request("DELETE", "/task/" + id).json();

    assertThat(canceled.get("status").stringValue()).isEqualTo("Canceled");
    assertThat(canceled.get("failure_kind").stringValue()).isEqualTo("explicit");
    assertThat(canceled.get("failure_reason").stringValue()).isEqualTo("no luck");
    assertThat(canceled.get("failure_code").stringValue()).isEqualTo("no_slots");
    assertThat(server.get("/task?q=luck").json().findValuesAsString("id")).containsExactly(id);
  }

  @Test
  void a_task_that_is_not_claimed_yet_can_be_moved() throws IOException {
    String pending = client.submitJob(TestApiClient.LATER);
    JsonNode moved = retry(pending, "{\"at\": \"%s\"}".formatted(LATER)).json();
    assertThat(moved.get("status").stringValue()).isEqualTo("Pending");
    assertThat(moved.get("run_at").stringValue()).isEqualTo(LATER);
    assertThat(moved.get("next_retry_at").isNull()).isTrue();
    assertThat(client.claim("")).isEmpty();

    assertThat(server.request("POST", "/task/" + pending + "/retry").status()).isEqualTo(200);
    assertThat(client.claimOne().get("id").stringValue()).isEqualTo(pending);
    RawResponse refused = retry(pending, "{\"at\": \"%s\"}".formatted(LATER));
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().get("detail").stringValue())
        .isEqualTo(
            "cannot reschedule task " + pending + ", which is Running: a worker already holds it");
  }

  @Test
  void a_waiting_retry_can_be_moved() throws IOException {
    String id = waitingRetry();

    JsonNode moved = retry(id, "{\"at\": \"%s\"}".formatted(LATER)).json();

    assertThat(moved.get("status").stringValue()).isEqualTo("RetryPending");
    assertThat(moved.get("next_retry_at").stringValue()).isEqualTo(LATER);
    assertThat(moved.get("failure_reason").stringValue()).isEqualTo("no luck");
  }
}

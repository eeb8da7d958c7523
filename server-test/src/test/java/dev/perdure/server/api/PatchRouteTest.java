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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

@ParameterizedClass
@EnumSource
class PatchRouteTest {

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;
  private TestApiClient client;

  PatchRouteTest(TestDatabase database) {
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

  private String submitAndClaim(String policy) throws IOException {
    String id = client.submitJob(policy);
    assertThat(client.claimOne().get("id").stringValue()).isEqualTo(id);
    return id;
  }

  private static Duration retryDelay(JsonNode task) {
    return Duration.between(
        Instant.parse(task.get("last_updated").stringValue()),
        Instant.parse(task.get("next_retry_at").stringValue()));
  }

  @Nested
  class Succeeding {

    @Test
    void a_success_stores_result_counters_and_metadata() throws IOException {
      String id = submitAndClaim(TestApiClient.LATER);

      RawResponse response =
          client.patch(
              id,
              """
              {"epoch": 1, "status": "success", "result": {"n": 0.10, "t": "é"},
               "new_success": 5, "expected_count": 5, "metadata": {"done": true}}""");

      assertThat(response.status()).as(response.body()).isEqualTo(200);
      JsonNode task = response.json();
      assertThat(task.get("status").stringValue()).isEqualTo("Success");
      assertThat(response.body()).contains("\"result\":{\"n\":0.10,\"t\":\"é\"}");
      assertThat(task.get("success").longValue()).isEqualTo(5);
      assertThat(task.get("expected_count").longValue()).isEqualTo(5);
      assertThat(task.get("metadata").get("done").booleanValue()).isTrue();
      assertThat(task.get("ended_at").isNull()).isFalse();
      assertThat(server.get("/metrics").body())
          .contains("tasks_completed_total{kind=\"job\",outcome=\"success\"} 1.0");
    }

    @Test
    void another_outcome_of_the_same_lease_is_rejected() throws IOException {
      String id = submitAndClaim(TestApiClient.LATER);
      client.patch(id, "{\"epoch\": 1, \"status\": \"Success\", \"result\": 1}");

      assertThat(
              client.patch(id, "{\"epoch\": 1, \"status\": \"Success\", \"result\": 2}").status())
          .isEqualTo(409);
      assertThat(client.patch(id, "{\"epoch\": 1, \"status\": \"Failure\"}").status())
          .isEqualTo(409);
      assertThat(client.show(id).get("result").intValue()).isEqualTo(1);
    }
  }

  @Nested
  class Failing {

    @Test
    void a_failure_shows_the_next_retry_and_is_recorded_in_the_attempt() throws IOException {
      String id = submitAndClaim(TestApiClient.LATER);

      RawResponse response =
          client.patch(
              id,
              """
              {"epoch": 1, "status": "Failure", "failure_reason": "no slots", "failure_code": "no_slots",
               "failure_status": 503, "exception_types": ["a.B", "java.io.IOException"],
               "stack": "a.B: no slots"}""");

      assertThat(response.status()).as(response.body()).isEqualTo(200);
      JsonNode task = response.json();
      assertThat(task.get("status").stringValue()).isEqualTo("RetryPending");
      assertThat(task.get("attempt").longValue()).isEqualTo(1);
      assertThat(retryDelay(task)).isEqualTo(Duration.ofHours(1));
      assertThat(task.get("failure_reason").stringValue()).isEqualTo("no slots");
      JsonNode record = client.show(id).get("attempts").get(0);
      assertThat(record.get("worker").stringValue()).isEqualTo("ada");
      assertThat(record.get("failure_kind").stringValue()).isEqualTo("explicit");
      assertThat(record.get("code").stringValue()).isEqualTo("no_slots");
      assertThat(record.get("status").intValue()).isEqualTo(503);
      assertThat(record.get("exception_types")).hasSize(2);
      assertThat(record.get("has_stack").booleanValue()).isTrue();
    }

    @Test
    void a_failure_that_is_not_retryable_ends_the_task() throws IOException {
      String id = submitAndClaim(TestApiClient.LATER);

      JsonNode task =
          client.patch(id, "{\"epoch\": 1, \"status\": \"Failure\", \"retryable\": false}").json();

      assertThat(task.get("status").stringValue()).isEqualTo("Failure");
      assertThat(task.get("give_up_reason").stringValue()).isEqualTo("not_retryable");
    }

    @Test
    void retry_after_sets_the_delay() throws IOException {
      String id = submitAndClaim(TestApiClient.LATER);

      JsonNode task =
          client
              .patch(id, "{\"epoch\": 1, \"status\": \"Failure\", \"retry_after\": \"90s\"}")
              .json();

      assertThat(retryDelay(task)).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void the_policy_matches_the_failure_code() throws IOException {
      String policy = "{\"max_retries\": 2, \"retry_on\": [\"code:again\"], \"preset\": \"queue\"}";
      String wanted = submitAndClaim(policy);
      String other = submitAndClaim(policy);

      client.patch(wanted, "{\"epoch\": 1, \"status\": \"Failure\", \"failure_code\": \"again\"}");
      client.patch(other, "{\"epoch\": 1, \"status\": \"Failure\", \"failure_code\": \"never\"}");

      assertThat(client.status(wanted)).isEqualTo("RetryPending");
      assertThat(client.status(other)).isEqualTo("Failure");
    }

    @Test
    void long_texts_are_truncated() throws IOException {
      String id = submitAndClaim(TestApiClient.LATER);
      String longText = "x".repeat(9_999) + "\\u0000";

      String reason =
          client
              .patch(
                  id,
                  "{\"epoch\": 1, \"status\": \"Failure\", \"failure_reason\": \""
                      + longText
                      + "\"}")
              .json()
              .get("failure_reason")
              .stringValue();

      assertThat(reason).hasSize(4_096).endsWith("…");
    }
  }

  @Nested
  class ByAnOperator {

    @Test
    void an_operator_settles_the_current_attempt_without_an_epoch() throws IOException {
      String id = submitAndClaim(TestApiClient.LATER);

      assertThat(client.patch(id, "{\"status\": \"Success\"}").status()).isEqualTo(200);
      assertThat(client.patch(id, "{\"status\": \"Success\"}").status())
          .as("repeated")
          .isEqualTo(200);
      assertThat(client.patch(id, "{\"status\": \"Failure\"}").status()).isEqualTo(409);
      assertThat(client.status(id)).isEqualTo("Success");
    }

    @Test
    void a_task_that_is_not_running_cannot_be_settled() throws IOException {
      String id = client.submitJob(TestApiClient.LATER);

      assertThat(client.patch(id, "{\"status\": \"Success\"}").status()).isEqualTo(409);
      assertThat(client.status(id)).isEqualTo("Pending");
      assertThat(client.patch(TestApiClient.UNKNOWN_ID, "{\"status\": \"Success\"}").status())
          .isEqualTo(404);
    }

    @Test
    void a_rejected_patch_changes_nothing() throws IOException {
      String id = client.submitJob(TestApiClient.LATER);
      JsonNode before = client.show(id);

      RawResponse response =
          client.patch(id, "{\"status\": \"Success\", \"priority\": 5, \"expected_count\": 7}");

      assertThat(response.status()).isEqualTo(409);
      assertThat(client.show(id)).isEqualTo(before);
      assertThat(server.get("/audit").json()).isEmpty();
    }

    @Test
    void operator_patches_are_audited_with_their_changes() throws IOException {
      String id = submitAndClaim(TestApiClient.LATER);

      client.put(id, "{\"new_success\": 3}");
      client.patch(id, "{\"priority\": 7, \"metadata\": {\"a\": 1}, \"new_failures\": 2}");
      client.patch(
          id,
          "{\"status\": \"Failure\", \"failure_code\": \"x\", \"failure_reason\": \"%s\"}"
              .formatted("y".repeat(5_000)));
      client.patch(id, "{\"epoch\": 1, \"status\": \"Failure\", \"failure_code\": \"x\"}");

      JsonNode audit = server.get("/audit?subject=" + id).json();
      assertThat(audit).as("reports of the worker are not audited").hasSize(3);
      assertThat(audit.get(2).get("action").stringValue()).isEqualTo("add counters");
      assertThat(audit.get(2).get("detail")).hasToString("{\"new_success\":3,\"new_failures\":0}");
      assertThat(audit.get(1).get("action").stringValue()).isEqualTo("patch");
      assertThat(audit.get(1).get("detail"))
          .hasToString("{\"new_failures\":2,\"priority\":7,\"metadata\":\"…\"}");
      JsonNode end = audit.get(0).get("detail");
      assertThat(end.get("status").stringValue()).isEqualTo("Failure");
      assertThat(end.get("failure_code").stringValue()).isEqualTo("x");
      assertThat(end.get("failure_reason").stringValue()).hasSizeLessThan(300).endsWith("y…");
    }

    @Test
    void priority_expected_count_and_metadata_of_a_live_task_can_be_changed() throws IOException {
      client.submitJob(TestApiClient.LATER);
      String id = client.submitJob(TestApiClient.LATER);

      RawResponse response =
          client.patch(id, "{\"priority\": 900, \"expected_count\": 7, \"metadata\": {\"a\": 1}}");

      assertThat(response.status()).as(response.body()).isEqualTo(200);
      assertThat(response.json().get("priority").intValue()).isEqualTo(900);
      assertThat(response.json().get("expected_count").longValue()).isEqualTo(7);
      assertThat(response.json().get("metadata").get("a").intValue()).isEqualTo(1);
      assertThat(client.claimOne().get("id").stringValue())
          .as("the higher priority comes first")
          .isEqualTo(id);
      server.request("DELETE", "/task/" + id);
      assertThat(client.patch(id, "{\"priority\": 1}").status()).isEqualTo(409);
      assertThat(client.show(id).get("priority").intValue()).isEqualTo(900);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"status": "Sucess"}                                  | status
          {"status": "Running"}                                 | status
          {"status": 7}                                         | status
          {"status": "Success", "failure_code": "x"}            | failure_code
          {"status": "Failure", "result": 1}                    | result
          {"result": 1}                                         | result
          {"retryable": true}                                   | retryable
          {"status": "Failure", "retryable": "no"}              | retryable
          {"status": "Failure", "retry_after": 30}              | retry_after
          {"status": "Failure", "failure_status": 99}           | failure_status
          {"status": "Failure", "failure_code": ""}             | failure_code
          {"status": "Failure", "exception_types": "a.B"}       | exception_types
          {"status": "Failure", "exception_types": [1]}         | exception_types[0]
          {"status": "Success", "epoch": 0}                     | epoch
          {"new_success": -1}                                   | new_success
          {"priority": 1001}                                    | priority
          {"expected_count": -1}                                | expected_count
          {"metadata": [1]}                                     | metadata
          {"failure_reasons": "x", "status": "Failure"}         | failure_reasons
          """)
  void an_invalid_patch_is_rejected_and_changes_nothing(String body, String path)
      throws IOException {
    String id = submitAndClaim(TestApiClient.LATER);
    JsonNode before = client.show(id);

    RawResponse response = client.patch(id, body);

    assertThat(response.status()).as(response.body()).isEqualTo(400);
    assertThat(response.json().get("errors").get(0).get("path").stringValue()).isEqualTo(path);
    assertThat(client.show(id)).isEqualTo(before);
  }

  @Test
  void an_empty_or_malformed_patch_is_rejected() throws IOException {
    String id = submitAndClaim(TestApiClient.LATER);

    assertThat(client.patch(id, "{\"epoch\": 1}").status()).isEqualTo(400);
    assertThat(client.patch(id, "{\"status\"").status()).isEqualTo(400);
    assertThat(client.patch(id, "[]").status()).isEqualTo(400);
    assertThat(client.patch(id, "{\"failure_reasons\": \"x\"}").body())
        .contains("did you mean 'failure_reason'?");
    assertThat(client.patch("no-id", "{\"status\": \"Success\"}").status()).isEqualTo(404);
    assertThat(
            client
                .patch(id, "{\"metadata\": {\"x\": \"%s\"}}".formatted("y".repeat(66_000)))
                .status())
        .isEqualTo(400);
  }
}

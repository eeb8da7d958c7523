// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Retry policies in submissions. */
class PolicySubmissionTest {

  @TempDir private static Path folder;
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.in(folder, Map.of(Settings.RETRY_MAX_DELAY_LIMIT, "20"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static RawResponse submit(String policy) throws IOException {
    return server.post("/task", "{\"kind\": \"k\", \"retry\": %s}".formatted(policy));
  }

  private static JsonNode onlyError(RawResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(400);
    assertThat(response.json().get("errors")).hasSize(1);
    return response.json().get("errors").get(0);
  }

  private static String expiringAt(Instant instant) {
    return "{\"backoff\": {\"type\": \"immediate\"}, \"expires_at\": \"%s\"}".formatted(instant);
  }

  @Test
  void names_everything_that_is_wrong_and_everything_beyond_the_limits() throws IOException {
    RawResponse response =
        submit(
            """
            {"max_retries": 99, "initial_delay_secs": 0, "backoff_multiplier": 0.5,
             "max_delay_secs": 999999, "retry_on": []}""");

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.json().get("errors").findValuesAsString("path"))
        .containsExactlyInAnyOrder(
            "retry.max_retries",
            "retry.initial_delay_secs",
            "retry.backoff_multiplier",
            "retry.max_delay_secs",
            "retry.retry_on");
  }

  @Test
  void cuts_a_default_to_the_limit() throws IOException {
    RawResponse response = submit("{\"max_retries\": 4, \"initial_delay_secs\": 5}");

    assertThat(response.status()).as(response.body()).isEqualTo(201);
    String id = response.json().get(0).get("id").stringValue();
    assertThat(server.get("/task/" + id).body()).contains("\"max_delay\":\"20s\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "http" | retry | write {"preset": "http"}
          3 | retry | write {"max_retries": 3}
          {"max_retries": 3, "initial_delay_secs": 5, "backoff": {"type": "immediate"}} \
          | retry.backoff | two forms are mixed
          """)
  void says_how_to_write_it(String policy, String path, String hint) throws IOException {
    JsonNode error = onlyError(submit(policy));

    assertThat(error.get("path").stringValue()).isEqualTo(path);
    assertThat(error.get("message").stringValue()).contains(hint);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"kind\": \"k\", \"max_retries\": 3}",
        "{\"kind\": \"k\", \"retry\": {\"max_retries\": 3}, \"retry_on\": [\"5xx\"]}"
      })
  void says_where_a_field_of_the_policy_belongs(String body) throws IOException {
    assertThat(onlyError(server.post("/task", body)).get("message").stringValue())
        .contains("move it into the task's 'retry', as in \"retry\": {\"max_retries\": 3}");
  }

  @Test
  void says_where_a_field_of_the_policy_belongs_in_an_envelope() throws IOException {
    String body = "{\"tasks\": [{\"kind\": \"k\"}], \"backoff\": {\"type\": \"immediate\"}}";
    assertThat(onlyError(server.post("/task", body)).get("message").stringValue())
        .isEqualTo(
            "is a field of a retry policy: move it into the 'retry' of a task to retry that task,"
                + " or into the 'retry' of the batch to run the whole batch again");
  }

  @ParameterizedTest
  @ValueSource(strings = {"action"})
  void suggests_no_field_that_is_not_supported(String field) throws IOException {
    JsonNode error =
        onlyError(server.post("/task", "{\"kind\": \"k\", \"%s\": 1}".formatted(field)));

    assertThat(error.get("message").stringValue())
        .doesNotContain("did you mean")
        .doesNotContain("actions");
  }

  @Test
  void refuses_a_policy_that_has_already_expired() throws IOException {
    JsonNode error = onlyError(submit(expiringAt(Instant.parse("2020-01-01T00:00:00Z"))));

    assertThat(error.get("path").stringValue()).isEqualTo("retry.expires_at");
    assertThat(error.get("message").stringValue())
        .isEqualTo("2020-01-01T00:00:00.000Z is in the past: choose a later time");
    assertThat(submit(expiringAt(Instant.now().plus(Duration.ofHours(1)))).status()).isEqualTo(201);
  }

  /** The response to the first request may be lost, and the policy may expire before the second. */
  @Test
  void accepts_a_repeated_submission_whose_policy_has_expired_in_the_meantime() throws Exception {
    String soon = expiringAt(Instant.now().plus(Duration.ofSeconds(2)));
    assertThat(submitWithKey("k1", soon).status()).isEqualTo(201);
    Eventually.await(() -> submit(soon).status(), status -> status == 400);

    assertThat(submitWithKey("k1", soon).status()).as("repeated").isEqualTo(200);
    assertThat(submitWithKey("k2", soon).status()).as("with another key").isEqualTo(400);
  }

  private RawResponse submitWithKey(String key, String policy) throws IOException {
    String body = "{\"kind\": \"k\", \"retry\": %s}".formatted(policy);
    return RawHttpClient.post(server.port(), "/task", body, "Idempotency-Key: " + key);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class PolicyRoutesTest {

  @TempDir private static Path folder;
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.in(folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void explains_a_policy() throws IOException {
    RawResponse response =
        server.post(
            "/policy/explain",
            """
            {"policy": {"preset": "http"}, "failures": [{"kind": "http", "status": 502}]}\
            """);

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.json().get("sentence").stringValue())
        .isEqualTo(
            "up to 4 retries, after 2 seconds, then twice as long each time; some failures have"
                + " their own rules");
    JsonNode attempts = response.json().get("attempts");
    assertThat(attempts).hasSize(3);
    assertThat(attempts.get(0).get("delay_min_ms").longValue()).isEqualTo(1500);
    assertThat(attempts.get(2).toString())
        .isEqualTo("{\"attempt\":2,\"retry\":false,\"reason\":\"exhausted\"}");
    assertThat(response.json().get("more").booleanValue()).isFalse();
  }

  @Test
  void marks_a_policy_that_never_ends() throws IOException {
    RawResponse response =
        server.post("/policy/explain", "{\"policy\": [{\"count\": 0, \"delay_minutes\": 5}]}");

    assertThat(response.json().get("attempts")).hasSize(1000);
    assertThat(response.json().get("more").booleanValue()).isTrue();
  }

  @Test
  void says_whether_more_attempts_follow_those_that_were_asked_for() throws IOException {
    String body = "{\"policy\": [{\"count\": %d, \"delay_minutes\": 5}], \"attempts\": 3}";

    RawResponse endless = server.post("/policy/explain", body.formatted(0));
    assertThat(endless.json().get("attempts")).hasSize(3);
    assertThat(endless.json().get("more").booleanValue()).isTrue();
    RawResponse ended = server.post("/policy/explain", body.formatted(2));
    assertThat(ended.json().get("attempts")).hasSize(3);
    assertThat(ended.json().get("more").booleanValue()).isFalse();
  }

  @Test
  void reads_a_number_as_a_failure_with_this_http_status() throws IOException {
    String body = "{\"policy\": {\"preset\": \"http\"}, \"failures\": [%s]}";

    assertThat(server.post("/policy/explain", body.formatted("502")).json())
        .isEqualTo(
            server
                .post("/policy/explain", body.formatted("{\"kind\": \"http\", \"status\": 502}"))
                .json());
  }

  @Test
  void gives_advice_that_the_dialect_of_the_policy_accepts() throws IOException {
    RawResponse response = server.post("/policy/lint", "{\"policy\": {\"max_retries\": 3}}");

    assertThat(response.json().get("warnings").findValuesAsString("fix"))
        .singleElement()
        .asString()
        .contains("\"jitter\"")
        .endsWith("the task dialect has no 'jitter': write the policy in the canonical form");
    JsonNode canonical = response.json().get("canonical");
    RawResponse again = server.post("/policy/lint", "{\"policy\": %s}".formatted(canonical));
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().has("canonical")).isFalse();
  }

  @Test
  void warns_about_a_policy_that_has_expired() throws IOException {
    RawResponse response =
        server.post(
            "/policy/lint",
            """
            {"policy": {"preset": "http", "expires_at": "2020-01-01T00:00:00Z"}}""");

    assertThat(response.json().get("warnings").findValuesAsString("id")).containsExactly("expired");
  }

  @Test
  void lints_a_policy() throws IOException {
    RawResponse response =
        server.post(
            "/policy/lint",
            """
            {"policy": {"backoff": {"type": "fixed", "delay": "1s"}, "jitter": "none"},
             "method": "POST", "clients": 5000}\
            """);

    assertThat(response.status()).isEqualTo(200);
    assertThat(
            response
                .json()
                .get("warnings")
                .valueStream()
                .map(warning -> warning.get("path").stringValue()))
        .contains("jitter");
  }

  @Test
  void simulates_an_outage() throws IOException {
    RawResponse response =
        server.post(
            "/policy/simulate",
            """
            {"policy": {"preset": "queue"}, "clients": 100, "capacity": 100, "outage": "5s",
             "horizon": "1m", "seed": 7}\
            """);

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.json().get("scenario").get("seed").longValue()).isEqualTo(7);
    assertThat(response.json().get("with_policy").get("verdict").stringValue()).isNotBlank();
  }

  @Test
  void reports_every_error_with_its_path() throws IOException {
    RawResponse response =
        server.post(
            "/policy/explain",
            """
            {"policy": {"backoff": {"type": "fixed", "delay": 5}}, "attemps": 3,
             "failures": [{"kind": "htp"}]}\
            """);

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.json().get("detail").stringValue()).isEqualTo("the request has 3 errors");
    assertThat(response.json().get("errors").valueStream().map(JsonNode::toString))
        .anySatisfy(error -> assertThat(error).contains("policy.backoff.delay", "has no unit"))
        .anySatisfy(error -> assertThat(error).contains("failures[0].kind", "'http'"))
        .anySatisfy(error -> assertThat(error).contains("attemps", "'attempts'"));
  }

  @Test
  void reports_simulation_numbers_that_are_out_of_range() throws IOException {
    RawResponse response =
        server.post(
            "/policy/simulate",
            "{\"policy\": {\"preset\": \"queue\"}, \"load\": 2, \"remaining\": 3}");

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.json().get("errors").findValuesAsString("path"))
        .containsExactly("load", "remaining");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "null",
        "{\"policy\": {\"preset\": \"queue\"}, \"load\": 2}",
        "{\"policy\": {\"preset\": \"queue\"}, \"capacity\": 1000000, \"horizon\": \"7d\"}",
        "{\"policy\": {\"preset\": \"queue\"}, \"outage\": 5}"
      })
  void rejects_an_invalid_simulation(String body) throws IOException {
    assertThat(server.post("/policy/simulate", body).status()).isEqualTo(400);
  }
}

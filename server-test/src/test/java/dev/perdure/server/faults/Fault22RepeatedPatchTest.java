// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Fault: the response to a PATCH is lost, and the repetition is refused instead of confirmed. */
class Fault22RepeatedPatchTest {

  private static final String DONE =
      """
      {"epoch": 1, "status": "Success", "result": {"n": 1}, "new_success": 5, "priority": 3,
       "metadata": {"a": 1}}""";
  private static final String FAILED =
      """
      {"epoch": 1, "status": "Failure", "failure_code": "x", "failure_status": 503,
       "failure_reason": "at %s", "new_failures": 2}""";

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void a_repeated_success_is_confirmed_and_counts_once(TestDatabase database) throws IOException {
    try (TestServer server = database.server(folder)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submitJob(TestApiClient.LATER);
      client.claimOne();
      RawResponse first = client.patch(id, DONE);
      assertThat(first.status()).as(first.body()).isEqualTo(200);
      JsonNode before = client.show(id);

      for (int i = 0; i < 3; i++) {
        RawResponse again = client.patch(id, DONE);
        assertThat(again.status()).as(again.body()).isEqualTo(200);
        assertThat(again.json()).isEqualTo(first.json());
      }

      assertThat(client.show(id)).isEqualTo(before);
      assertThat(before.get("success").longValue()).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_repeated_failure_is_confirmed_even_after_the_retry_has_started_or_ended(
      TestDatabase database) throws IOException {
    try (TestServer server = database.server(folder)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submitJob(TestApiClient.AT_ONCE);
      client.claimOne();
      assertThat(client.patch(id, FAILED.formatted("noon")).status()).isEqualTo(200);
      assertConfirmed(client, id, "RetryPending");
      client.claimOne();
      assertConfirmed(client, id, "Running");
      client.patch(id, "{\"epoch\": 2, \"status\": \"Success\"}");
      assertConfirmed(client, id, "Success");

      assertThat(client.patch(id, "{\"epoch\": 1, \"status\": \"Success\"}").status())
          .as("another outcome")
          .isEqualTo(409);
      assertThat(client.show(id).get("failures").longValue()).isEqualTo(2);
    }
  }

  /** Repeats the failure with another reason: the text may differ, such as by a time of day. */
  private static void assertConfirmed(TestApiClient client, String id, String status)
      throws IOException {
    RawResponse again = client.patch(id, FAILED.formatted("one"));
    assertThat(again.status()).as(again.body()).isEqualTo(200);
    assertThat(again.json().get("status").stringValue()).isEqualTo(status);
  }

  @ParameterizedTest
  @EnumSource
  void an_outcome_that_was_never_recorded_is_not_confirmed(TestDatabase database)
      throws IOException {
    try (TestServer server = database.server(folder)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submitJob(TestApiClient.LATER);
      client.claimOne();
      server.request("DELETE", "/task/" + id);

      assertThat(client.patch(id, FAILED).status()).isEqualTo(409);
      assertThat(client.patch(id, DONE).status()).isEqualTo(409);
      assertThat(client.show(id).get("success").longValue()).isZero();
      assertThat(client.show(id).get("failures").longValue()).isZero();
    }
  }
}

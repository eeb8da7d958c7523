// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
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
class RetryRoutesTest {

  private static final String LADDER =
      """
      {"backoff": {"type": "ladder", "steps": [{"count": 2, "delay": "10m"},
       {"count": 3, "delay": "2d"}]}, "jitter": "none"}""";

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;
  private TestApiClient client;

  RetryRoutesTest(TestDatabase database) {
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

  private String failed(String policy, int times) throws IOException {
    String id = client.submitJob(policy);
    for (int i = 0; i < times; i++) {
      assertThat(client.claimOne().get("id").stringValue()).isEqualTo(id);
      client.patch(id, "{\"status\": \"Failure\"}");
      if (i < times - 1) {
        server.post("/task/" + id + "/retry", "{}");
      }
    }
    return id;
  }

  private JsonNode retries(String query) throws IOException {
    RawResponse response = server.get("/retry" + query);
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json();
  }

  @Test
  void a_waiting_retry_shows_its_position_on_the_ladder() throws IOException {
    String id = failed(LADDER, 3);

    JsonNode retry = retries("").get(0);

    assertThat(retry.get("id").stringValue()).isEqualTo(id);
    assertThat(retry.get("current_step").intValue()).isEqualTo(2);
    assertThat(retry.get("steps").intValue()).isEqualTo(2);
    assertThat(retry.get("attempts_in_step").intValue()).isEqualTo(1);
    assertThat(retry.get("badge").stringValue()).isEqualTo("attempt 1/3, step 2/2");
    assertThat(retry.get("total_attempts").intValue()).isEqualTo(3);
    assertThat(retry.get("retries_left").intValue()).isEqualTo(2);
    assertThat(retry.get("next_retry_at").isNull()).isFalse();
  }

  @Test
  void a_task_shows_its_badge_until_it_ends() throws IOException {
    String id = client.submitJob(LADDER);
    JsonNode task = server.get("/task/" + id).json();
    assertThat(task.get("badge").isNull()).isTrue();
    assertThat(task.get("retry_words").stringValue())
        .isEqualTo("2 retries every 10 minutes, then 3 every 2 days");

    client.claimOne();
    client.patch(id, "{\"status\": \"Failure\"}");
    server.post("/task/" + id + "/retry", "{}");
    client.claimOne();
    assertThat(server.get("/task").json().get(0).get("badge").stringValue())
        .isEqualTo("attempt 1/2, step 1/2");

    client.patch(id, "{\"status\": \"Success\"}");
    assertThat(server.get("/task/" + id).json().get("badge").isNull()).isTrue();
  }

  @Test
  void retries_are_filtered_by_due_time_kind_and_strategy() throws IOException {
    failed(LADDER, 1);
    failed(TestApiClient.LATER, 1);
    client.submitJob(TestApiClient.LATER);

    assertThat(retries("")).hasSize(2);
    assertThat(retries("?within=30m")).hasSize(1);
    assertThat(retries("?within=24h")).hasSize(2);
    assertThat(retries("?strategy=ladder")).hasSize(1);
    assertThat(retries("?strategy=linear")).isEmpty();
    assertThat(retries("?kind=job")).hasSize(2);
    assertThat(retries("?kind=another")).isEmpty();
    RawResponse first = server.get("/retry?page_size=1");
    assertThat(first.header("X-Total-Count")).isEqualTo("2");
    assertThat(first.header("Link")).startsWith("</retry?page_size=1&after=");
  }

  @Test
  void the_next_retry_is_listed_first() throws IOException {
    String days = failed(LADDER, 3);
    String minutes = failed(LADDER, 1);
    String hour = failed(TestApiClient.LATER, 1);

    List<String> seen = new ArrayList<>();
    String next = "/retry?page_size=1";
    while (!next.isEmpty()) {
      RawResponse response = server.get(next);
      assertThat(response.header("X-Total-Count")).isEqualTo("3");
      seen.addAll(response.json().findValuesAsString("id"));
      next = response.header("Link").replaceAll("<(.*)>; rel=\"next\"", "$1");
    }
    assertThat(seen).containsExactly(minutes, hour, days);
  }

  @ParameterizedTest
  @CsvSource({
    "?within=30, within",
    "?within=soon, within",
    "?strategy=lader, strategy",
    "?kinds=x, kinds",
    "?page=-1, page"
  })
  void an_invalid_query_is_rejected(String query, String path) throws IOException {
    RawResponse response = server.get("/retry" + query);

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.json().get("errors").get(0).get("path").stringValue()).isEqualTo(path);
  }

  @Test
  void an_empty_store_has_no_success_rate_and_no_average() throws IOException {
    JsonNode stats = server.get("/retry/stats").json();

    assertThat(stats.get("pending").longValue()).isZero();
    assertThat(stats.get("success_rate").isNull()).isTrue();
    assertThat(stats.get("average_delay_ms").isNull()).isTrue();
    assertThat(stats.get("by_kind")).isEmpty();
  }

  @Test
  void statistics_count_waiting_exhausted_and_successful_retries() throws IOException {
    failed(LADDER, 3);
    String successful = failed(TestApiClient.AT_ONCE, 1);
    client.claimOne();
    client.patch(successful, "{\"status\": \"Success\"}");
    failed(TestApiClient.AT_ONCE, 4);

    RawResponse response = server.get("/retry/stats");
    JsonNode stats = response.json();

    assertThat(stats.get("pending").longValue()).isEqualTo(1);
    assertThat(stats.get("due").longValue()).isZero();
    assertThat(stats.get("exhausted").longValue()).isEqualTo(1);
    assertThat(stats.get("by_kind").get("job").longValue()).isEqualTo(1);
    assertThat(stats.get("by_strategy").get("ladder").longValue()).isEqualTo(1);
    assertThat(response.body()).contains("\"success_rate\":33.33");
    long all = 2 * 600_000 + 172_800_000L; // Delays of the ladder; the other four were 0.
    assertThat(stats.get("average_delay_ms").longValue()).isEqualTo(Math.round(all / 7.0));
  }
}

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

@ParameterizedClass
@EnumSource
class RetryWaveRouteTest {

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;
  private TestApiClient client;

  RetryWaveRouteTest(TestDatabase database) {
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

  /** Creates a task whose retry is due after this delay. */
  private String retryIn(String delay) throws IOException {
    String id =
        client.submitJob(
            "{\"backoff\": {\"type\": \"fixed\", \"delay\": \"%s\"}, \"jitter\": \"none\"}"
                .formatted(delay));
    client.claimOne();
    client.patch(id, "{\"status\": \"Failure\"}");
    return id;
  }

  private JsonNode wave(String query) throws IOException {
    RawResponse response = server.get("/retry/wave" + query);
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json();
  }

  private static long sum(JsonNode counts) {
    return counts.valueStream().mapToLong(JsonNode::longValue).sum();
  }

  @ParameterizedTest
  @CsvSource({
    "'', 60, 60000",
    "?window=minute, 60, 1000",
    "?window=hour, 60, 60000",
    "?window=day, 96, 900000",
    "?window=fortnight, 56, 21600000"
  })
  void an_empty_store_has_no_retries_in_any_window(String query, int buckets, long step)
      throws IOException {
    JsonNode wave = wave(query);

    assertThat(wave.propertyNames())
        .containsExactly(
            "now",
            "from",
            "step_ms",
            "overdue",
            "later",
            "estimated",
            "counts",
            "peak",
            "by_kind",
            "usual");
    assertThat(wave.get("step_ms").longValue()).isEqualTo(step);
    assertThat(wave.get("counts")).hasSize(buckets);
    assertThat(sum(wave.get("counts"))).isZero();
    assertThat(wave.get("peak").isNull()).isTrue();
    assertThat(wave.get("by_kind").isNull()).isTrue();
    Instant now = Instant.parse(wave.get("now").stringValue());
    Instant from = Instant.parse(wave.get("from").stringValue());
    assertThat(Duration.between(from, now)).isBetween(Duration.ZERO, Duration.ofMillis(step));
    assertThat(from.toEpochMilli() % step).isZero();
  }

  @Test
  void retries_are_counted_where_they_become_due() throws IOException {
    String id = retryIn("2h");
    retryIn("3d");
    String paused = retryIn("2h");
    assertThat(server.request("PATCH", "/task/pause/" + paused).status()).isEqualTo(200);

    JsonNode wave = wave("?window=day&by=kind");

    assertThat(wave.get("overdue").longValue()).isZero();
    assertThat(wave.get("later").longValue()).isEqualTo(1);
    assertThat(wave.get("estimated").booleanValue()).isFalse();
    Instant due = Instant.parse(client.show(id).get("next_retry_at").stringValue());
    long step = wave.get("step_ms").longValue();
    Instant from = Instant.parse(wave.get("from").stringValue());
    int bucket = (int) (Duration.between(from, due).toMillis() / step);
    assertThat(wave.get("counts").get(bucket).longValue()).isEqualTo(1);
    assertThat(sum(wave.get("counts"))).isEqualTo(1);
    assertThat(wave.get("peak").get("count").longValue()).isEqualTo(1);
    assertThat(Instant.parse(wave.get("peak").get("at").stringValue()))
        .isEqualTo(from.plusMillis(bucket * step));
    assertThat(wave.get("by_kind")).hasSize(1);
    assertThat(wave.get("by_kind").get(0).get("kind").stringValue()).isEqualTo("job");
    assertThat(wave.get("by_kind").get(0).get("counts")).isEqualTo(wave.get("counts"));
  }

  @Test
  void a_kind_is_the_whole_kind() throws IOException {
    retryIn("2h");

    assertThat(sum(wave("?window=day&kind=job").get("counts"))).isEqualTo(1);
    assertThat(sum(wave("?window=day&kind==job").get("counts"))).isEqualTo(1);
    assertThat(sum(wave("?window=day&kind=jo").get("counts"))).isZero();
  }

  @Test
  void the_same_response_is_used_for_a_while() throws IOException {
    JsonNode first = wave("?window=fortnight");
    retryIn("2h");

    assertThat(wave("?window=fortnight")).isEqualTo(first);
    assertThat(sum(wave("?window=fortnight&by=kind").get("counts"))).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"?window=week, window", "?by=name, by", "?kinds=x, kinds"})
  void an_invalid_query_is_rejected(String query, String path) throws IOException {
    RawResponse response = server.get("/retry/wave" + query);

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.json().get("errors").get(0).get("path").stringValue()).isEqualTo(path);
  }
}

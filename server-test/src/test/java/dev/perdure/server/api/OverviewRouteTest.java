// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.Rollup;
import dev.perdure.engine.query.RollupCounter;
import dev.perdure.engine.query.RollupCounts;
import dev.perdure.engine.query.RollupStep;
import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The overview and the series, with troubles that are prepared in the store. */
@ParameterizedClass
@EnumSource
class OverviewRouteTest {

  private static final UUID OTHER_NODE = new UUID(0, 7);

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;
  private JdbcStore store;

  OverviewRouteTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    String url = database.url(folder);
    server = database.server(folder, Map.of(Settings.DATABASE_URL, url));
    store = JdbcStore.open(url);
  }

  @AfterEach
  void stop() {
    if (store != null) {
      store.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private JsonNode get(String path) throws IOException {
    var response = server.get(path);
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json();
  }

  private static List<String> ids(JsonNode overview) {
    return overview.get("problems").valueStream().map(one -> one.get("id").stringValue()).toList();
  }

  private void ran(Duration ago, int succeeded, int failed) {
    RollupCounts counts = new RollupCounts();
    counts.add(RollupCounter.STARTED, succeeded + failed);
    counts.add(RollupCounter.FAILED, failed);
    counts.addToKind("charge-card", RollupCounter.SUCCEEDED, succeeded);
    counts.addToKind("charge-card", RollupCounter.FAILED, failed);
    counts.runTimes().add(8, succeeded + failed);
    Instant at = store.now().minus(ago);
    for (RollupStep step : RollupStep.values()) {
      store.rollups().write(List.of(new Rollup(step, step.startOf(at), OTHER_NODE, counts)));
    }
  }

  @Test
  void nothing_is_wrong_with_an_idle_server() throws IOException {
    JsonNode overview = get("/overview");

    assertThat(overview.get("problems")).isEmpty();
    assertThat(overview.at("/live/Running").longValue()).isZero();
    assertThat(overview.get("counted_at").isString()).isTrue();
    assertThat(overview.at("/slots/busy").longValue()).isZero();
  }

  @Test
  void a_failing_kind_comes_first() throws IOException {
    ran(Duration.ofMinutes(1), 46, 214);

    JsonNode overview = get("/overview");

    JsonNode problem = overview.get("problems").get(0);
    assertThat(problem.get("id").stringValue()).isEqualTo("kind_failing");
    assertThat(problem.get("level").stringValue()).isEqualTo("trouble");
    assertThat(problem.get("text").stringValue())
        .isEqualTo("charge-card is failing. 214 of 260 attempts failed in the last 5 min.");
    assertThat(problem.get("error").isNull()).isTrue();
    assertThat(problem.at("/filter/kind").stringValue()).isEqualTo("=charge-card");
    assertThat(overview.at("/kinds/0/failed").longValue()).isEqualTo(214);
    assertThat(overview.at("/kinds/0/spark")).hasSize(30);
  }

  @Test
  void a_node_that_died_is_told_and_listed() throws IOException {
    store.nodes().join(new RegisteredNode(OTHER_NODE, "api-3", List.of("mail")), Duration.ZERO);
    store.nodes().markExpiredDead(10);

    assertThat(ids(get("/overview"))).containsExactly("node_died");
    JsonNode dead =
        get("/node")
            .get("nodes")
            .valueStream()
            .filter(node -> node.get("name").stringValue().equals("api-3"))
            .findFirst()
            .orElseThrow();
    assertThat(dead.get("state").stringValue()).isEqualTo("dead");
    assertThat(dead.get("held").intValue()).isZero();
  }

  @Test
  void a_wave_of_retries_is_told_before_it_comes() throws IOException {
    // Without a quiet past, this test's own attempts could count as the usual load.
    for (int minutes = 2; minutes <= 12; minutes++) {
      ran(Duration.ofMinutes(minutes), 1, 0);
    }
    TestApiClient client = new TestApiClient(server);
    Instant dueAt = RollupStep.MINUTE.startOf(store.now().plusSeconds(1_800)).plusSeconds(30);
    for (int i = 0; i < 100; i++) {
      String id =
          client.submitJob(
              "{\"backoff\": {\"type\": \"fixed\", \"delay\": \"30m\"}, \"jitter\": \"none\"}");
      client.claimOne();
      client.patch(id, "{\"status\": \"Failure\"}");
      server.post("/task/" + id + "/retry", "{\"at\": \"%s\"}".formatted(dueAt));
    }

    JsonNode overview = get("/overview");

    assertThat(ids(overview)).contains("wave");
    assertThat(overview.at("/live/RetryPending").longValue()).isEqualTo(100);
  }

  @Test
  void tasks_that_nobody_takes_are_told_after_a_minute() throws IOException {
    var response =
        server.post("/task", "{\"kind\": \"resize\", \"run_at\": \"2020-01-01T00:00:00Z\"}");
    assertThat(response.status()).as(response.body()).isLessThan(300);

    JsonNode overview = get("/overview");

    assertThat(ids(overview)).containsExactly("nobody_takes");
    assertThat(overview.get("due").longValue()).isEqualTo(1);
    assertThat(overview.at("/kinds/0/takers").longValue()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "15m, 15, 60000",
    "1h, 60, 60000",
    "24h, 144, 600000",
    "14d, 336, 3600000",
    "90d, 360, 21600000"
  })
  void a_series_has_numbers_where_a_node_ran_and_null_elsewhere(
      String window, int buckets, long step) throws IOException {
    ran(Duration.ZERO, 6, 4);

    JsonNode series = get("/series?window=" + window);

    assertThat(series.get("step_ms").longValue()).isEqualTo(step);
    assertThat(series.get("forming").booleanValue()).isTrue();
    assertThat(series.get("started")).hasSize(buckets);
    assertThat(series.get("started").get(0).isNull()).isTrue();
    assertThat(series.get("started").valueStream().mapToLong(one -> one.asLong(0)).sum())
        .isEqualTo(10);
    assertThat(series.get("run_ms_p50").valueStream().mapToLong(one -> one.asLong(0)).max())
        .hasValue(768);
    JsonNode other = get("/series?window=" + window + "&kind=other");
    assertThat(other.get("started").valueStream().mapToLong(one -> one.asLong(0)).sum()).isZero();
    for (String unknown : List.of("run_ms_p50", "late_ms_p95", "delivered", "undelivered")) {
      assertThat(other.get(unknown)).as(unknown).allMatch(JsonNode::isNull);
    }
  }

  @Test
  void an_unknown_window_is_refused_by_name() throws IOException {
    var response = server.get("/series?window=2h");

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("window", "15m");
  }

  @Test
  void the_usual_load_is_shown_with_the_wave() throws IOException {
    assertThat(get("/retry/wave?window=minute").has("usual")).isTrue();
    ran(Duration.ofMinutes(2), 60, 0);
    assertThat(get("/retry/wave?window=hour&kind=mail").has("usual")).isTrue();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.Rollup;
import dev.perdure.engine.query.RollupCounter;
import dev.perdure.engine.query.RollupCounts;
import dev.perdure.engine.query.RollupStep;
import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Each problem, made of real data, with the tasks that its filter lists. */
@Tag("slow")
@ParameterizedClass
@EnumSource
class ProblemRouteTest {

  private static final UUID OTHER_NODE = new UUID(0, 7);
  private static final String SCHEDULE =
      "{\"name\": \"nightly\", \"trigger\": {\"every\": \"10h\"}, \"task\": {\"kind\": \"a\"}}";

  private final TestDatabase database;
  @TempDir private Path folder;
  private String url;
  private TestServer server;
  private TestApiClient client;
  private JdbcStore store;

  ProblemRouteTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    url = database.url(folder);
    server =
        TestServer.in(
            folder,
            Map.of(Settings.DATABASE_URL, url, Settings.RETRY_LOOP_INTERVAL_MS, "50"),
            engine -> engine.register("typed", Integer.class, (payload, context) -> {}));
    client = new TestApiClient(server);
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

  /** Waits for the problem: live tasks are counted every few seconds only. */
  private JsonNode problem(String id) throws Exception {
    return Eventually.await(
            () ->
                server
                    .get("/overview")
                    .json()
                    .get("problems")
                    .valueStream()
                    .filter(one -> one.get("id").stringValue().equals(id))
                    .findFirst(),
            found -> found.isPresent())
        .orElseThrow();
  }

  private static String text(JsonNode problem) {
    return problem.get("text").stringValue();
  }

  /** How many tasks the filter of the problem lists. */
  private long listed(JsonNode problem) throws IOException {
    String query =
        problem
            .get("filter")
            .propertyStream()
            .map(
                field ->
                    field.getKey()
                        + "="
                        + URLEncoder.encode(field.getValue().stringValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    assertThat(query).isNotEmpty();
    RawResponse response = server.get("/task?" + query);
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return Long.parseLong(response.header("X-Total-Count"));
  }

  private void ran(Duration ago, RollupCounts counts) {
    Instant at = RollupStep.MINUTE.startOf(store.now().minus(ago));
    store.rollups().write(List.of(new Rollup(RollupStep.MINUTE, at, OTHER_NODE, counts)));
  }

  private static RollupCounts ended(int succeeded, int failed) {
    RollupCounts counts = new RollupCounts();
    counts.addToKind("charge-card", RollupCounter.SUCCEEDED, succeeded);
    counts.addToKind("charge-card", RollupCounter.FAILED, failed);
    return counts;
  }

  private void execute(String sqlite, String postgres) throws SQLException {
    try (Connection connection = DriverManager.getConnection(TestDatabase.jdbc(url));
        Statement statement = connection.createStatement()) {
      int changed = statement.executeUpdate(database == TestDatabase.SQLITE ? sqlite : postgres);
      assertThat(changed).isEqualTo(1);
    }
  }

  @Test
  void a_failing_kind_names_its_most_frequent_error_and_lists_its_tasks() throws Exception {
    for (String reason : List.of("HTTP 503 from pay.example", "no card", "no card")) {
      client.submitJob(TestApiClient.LATER);
      client.settleOne("\"status\": \"Failure\", \"failure_reason\": \"%s\"".formatted(reason));
    }
    client.submit("{\"kind\": \"job-two\"}");
    RollupCounts counts = new RollupCounts();
    counts.addToKind("job", RollupCounter.FAILED, 20);
    ran(Duration.ZERO, counts);

    JsonNode problem = problem("kind_failing");
    assertThat(problem.get("error_title").stringValue()).isEqualTo("no card");
    assertThat(problem.get("error").stringValue())
        .isEqualTo(
            server
                .get("/error?state=RetryPending")
                .json()
                .valueStream()
                .filter(group -> group.get("title").stringValue().equals("no card"))
                .findFirst()
                .orElseThrow()
                .get("error")
                .stringValue());
    assertThat(listed(problem)).isEqualTo(3);
  }

  @Test
  void a_kind_that_fails_more_often_than_usual_is_told() throws Exception {
    ran(Duration.ofMinutes(30), ended(98, 2));
    ran(Duration.ofMinutes(1), ended(94, 6));

    assertThat(text(problem("kind_degraded")))
        .isEqualTo(
            "charge-card fails more often than usual. 6 of 100 attempts failed in the last 5 min.");
  }

  @Test
  void more_retries_than_new_work_are_told() throws Exception {
    RollupCounts counts = new RollupCounts();
    counts.add(RollupCounter.STARTED, 39);
    counts.add(RollupCounter.RETRIED, 20);
    ran(Duration.ofMinutes(1), counts);

    assertThat(text(problem("amplified")))
        .isEqualTo("More retries than new work. 20 of 39 attempts in the last 5 min were retries.");
  }

  @Test
  void tasks_that_were_given_up_are_told_and_listed() throws Exception {
    for (String end : List.of("Failure", "Failure", "Success")) {
      client.submit("{\"kind\": \"job\"}");
      client.settleOne("\"status\": \"%s\"".formatted(end));
    }

    JsonNode problem = problem("dead_new");
    assertThat(text(problem)).isEqualTo("2 tasks were given up in the last hour.");
    assertThat(listed(problem)).isEqualTo(2);
    assertThat(problem.at("/filter/ended_after").isString()).isTrue();
  }

  @Test
  void a_late_node_is_told() throws Exception {
    store
        .nodes()
        .join(new RegisteredNode(OTHER_NODE, "api-3", List.of("mail")), Duration.ofHours(1));
    execute(
        "UPDATE perdure_node SET joined_at = joined_at - 14000 WHERE name = 'api-3'",
        "UPDATE perdure_node SET joined_at = joined_at - INTERVAL '14 s' WHERE name = 'api-3'");

    assertThat(text(problem("node_late"))).startsWith("Node api-3 is late. It last reported 1");
  }

  @Test
  void parked_tasks_are_told_and_listed() throws Exception {
    client.submit("{\"kind\": \"typed\", \"payload\": \"no number\"}");
    String paused = client.submit("{\"kind\": \"job\"}");
    server.send("PATCH", "/task/pause/" + paused, "");

    JsonNode problem = problem("parked");
    assertThat(text(problem)).isEqualTo("1 task is parked because no handler can read it.");
    assertThat(listed(problem)).isEqualTo(1);
  }

  @Test
  void tasks_that_nobody_takes_are_listed_without_those_that_are_not_due() throws Exception {
    for (String kind : List.of("resize", "resize", "resize-two")) {
      client.submit("{\"kind\": \"%s\", \"run_at\": \"2020-01-01T00:00:00Z\"}".formatted(kind));
    }
    client.submit(
        "{\"kind\": \"resize\", \"run_at\": \"%s\"}".formatted(store.now().plusSeconds(3_600)));

    JsonNode problem = problem("nobody_takes");
    assertThat(problem.get("kind").stringValue()).isEqualTo("resize");
    assertThat(problem.get("count").longValue()).isEqualTo(2);
    assertThat(listed(problem)).isEqualTo(2);
  }

  @Test
  void a_wave_lists_its_retries_only() throws Exception {
    // Without a quiet past, this test's own attempts could count as the usual load.
    RollupCounts quiet = new RollupCounts();
    quiet.add(RollupCounter.STARTED, 1);
    for (int minutes = 2; minutes <= 12; minutes++) {
      ran(Duration.ofMinutes(minutes), quiet);
    }
    Instant bucket = RollupStep.MINUTE.startOf(store.now().plusSeconds(1_800));
    for (int i = 0; i <= 100; i++) {
      String id = client.submitJob(TestApiClient.LATER);
      client.settleOne("\"status\": \"Failure\"");
      Instant at = bucket.plusSeconds(i == 100 ? 60 : i % 60);
      server.post("/task/" + id + "/retry", "{\"at\": \"%s\"}".formatted(at));
    }

    JsonNode problem = problem("wave");
    assertThat(problem.get("count").longValue()).isEqualTo(100);
    assertThat(listed(problem)).isEqualTo(100);
  }

  @Test
  void a_schedule_that_fired_late_is_told() throws Exception {
    server.post("/schedule", SCHEDULE);
    execute(
        "UPDATE perdure_schedule SET next_at = next_at - 36300000, look_at = look_at - 36300000",
        "UPDATE perdure_schedule SET next_at = next_at - INTERVAL '36300 s',"
            + " look_at = look_at - INTERVAL '36300 s'");

    JsonNode problem =
        Eventually.await(
            () -> problem("schedule_missed"), found -> text(found).contains("skipped or delayed"));
    assertThat(text(problem)).startsWith("Schedule nightly skipped or delayed 1 firing in the");
    assertThat(problem.get("name").stringValue()).isEqualTo("nightly");
  }

  @Test
  void a_schedule_that_cannot_fire_is_told_with_its_problem() throws Exception {
    server.post("/schedule", SCHEDULE);
    execute(
        "UPDATE perdure_schedule SET template = '{\"batch\": \"x\"}', next_at = next_at - 36000000,"
            + " look_at = look_at - 36000000",
        "UPDATE perdure_schedule SET template = '{\"batch\": \"x\"}',"
            + " next_at = next_at - INTERVAL '36000 s', look_at = look_at - INTERVAL '36000 s'");

    assertThat(text(problem("schedule_missed")))
        .startsWith("Schedule nightly cannot fire. It has been due for ")
        .contains("cannot be read");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.engine.query.Rollup;
import dev.perdure.engine.query.RollupCounter;
import dev.perdure.engine.query.RollupCounts;
import dev.perdure.engine.query.RollupStep;
import dev.perdure.server.DatabaseProxy;
import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that shows what is wrong. */
class StatusCommandTest extends ServerCommandFixture {

  private static final UUID NODE = new UUID(0, 7);

  @Test
  void an_idle_server_is_well_at_every_width() {
    for (int width : List.of(60, 80, 160)) {
      CliResult result = shell().environment("COLUMNS", Integer.toString(width)).run("status");
      assertThat(result.code()).isZero();
      assertThat(result.out()).contains("All is well.", "slots busy", "given up");
      assertThat(result.lines()).allMatch(line -> line.length() <= width);
    }
  }

  @Test
  void tasks_that_nobody_takes_are_a_warning() {
    shell()
        .stdin("{\"kind\": \"resize\", \"run_at\": \"2020-01-01T00:00:00Z\"}")
        .run("submit", "-");

    CliResult result = run("status");

    assertThat(result.out()).contains("Nobody takes resize. 1 task is due");
    assertThat(result.code()).as("a warning is nothing serious").isZero();
  }

  @Test
  void json_is_what_the_server_says() {
    assertThat(run("status", "--json").json().getFirst().get("problems").isArray()).isTrue();
  }

  private void ended(JdbcStore store, int failed) {
    RollupCounts counts = new RollupCounts();
    counts.addToKind("charge-card", RollupCounter.FAILED, failed);
    Instant minute = RollupStep.MINUTE.startOf(store.now());
    store.rollups().write(List.of(new Rollup(RollupStep.MINUTE, minute, NODE, counts)));
  }

  private void failTask() throws IOException {
    TestApiClient client = new TestApiClient(server);
    client.submit("{\"kind\": \"charge-card\"}");
    client.settle(
        server
            .post("/task/claim", "{\"worker\": \"ada\", \"kinds\": [\"charge-card\"]}")
            .json()
            .get(0),
        "\"status\": \"Failure\", \"failure_reason\": \"HTTP 503 from pay.example\"");
  }

  @Test
  void trouble_is_named_with_its_error_until_it_is_over() throws Exception {
    failTask();
    try (JdbcStore store = JdbcStore.open("sqlite:" + folder.resolve("perdure.db"))) {
      ended(store, 20);
      CliResult trouble = run("status");
      assertThat(trouble.out())
          .startsWith("charge-card is failing. 20 of 20 attempts failed in the last 5 min.")
          .contains("Most often: HTTP 503 from pay.example");
      assertThat(trouble.code()).isEqualTo(1);

      ended(store, 0);
      CliResult over =
          Eventually.await(() -> run("status"), result -> result.out().contains("Over, "));
      assertThat(over.out()).contains(": charge-card is failing. 20 of 20 attempts failed");
      assertThat(over.code()).isZero();
    }
  }

  @Test
  void a_database_that_is_away_is_trouble(@TempDir Path other) throws Exception {
    String url = TestDatabase.POSTGRES.url(other);
    try (DatabaseProxy proxy = DatabaseProxy.of(url);
        TestServer remote = TestServer.in(other, Map.of(Settings.DATABASE_URL, proxy.url(url)))) {
      proxy.takeAway();
      TestCli shell = new TestCli().environment("PERDURE_URL", remote.url().toString());
      CliResult away =
          Eventually.await(() -> shell.run("status"), result -> result.out().contains("database"));

      assertThat(away.out())
          .startsWith("The database cannot be reached. Tasks are safe, but nothing starts until");
      assertThat(away.code()).isEqualTo(1);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.bench.docs.PerformanceDocument;
import dev.perdure.bench.durable.DurableBenchOptions.Scenario;
import java.io.OutputStream;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class DurableBenchTest {

  private static final int TASKS = 200;
  private static final String[] TINY = {
    "--tasks",
    "200",
    "--rounds",
    "1",
    "--batch",
    "50",
    "--sqlite-batch",
    "50",
    "--slots",
    "30",
    "--threads",
    "4",
    "--slow-max-tasks",
    "40",
    "--warm-up",
    "0"
  };

  @Test
  void every_contender_runs_every_task_exactly_once_while_other_tasks_wait() throws Exception {
    List<String> args = new ArrayList<>(List.of(TINY));
    args.addAll(List.of("--waiting", "3000"));

    BenchReport report =
        DurableBench.run(DurableBenchOptions.parse(args.toArray(String[]::new)), discard());

    assertThat(report.results()).hasSize(2 * (ContenderSetups.NAMES.size() + 2));
    assertThat(report.results())
        .allSatisfy(
            round -> {
              int given =
                  round.contender().equals(ContenderSetups.SQLITE_DB_SCHEDULER) ? 40 : TASKS;
              assertThat(round.tasks()).isEqualTo(given);
              assertThat(round.counts()).isEqualTo(new DurableContender.Counts(given, given, 0));
            });
    assertThat(report.facts().get("postgres")).contains("fsync=on", "synchronous_commit=on");
    assertThat(report.facts().get("cost of a claim with waiting tasks")).contains("tasks=100");
    assertThat(report.ratios(Scenario.BACKLOG)).hasSize(6);
    assertThat(report.json()).contains("\"ratios\"");
  }

  @Test
  void the_baseline_writes_the_same_rows_as_the_engine_on_postgres() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        BenchDatabase engineDatabase = server.create();
        BenchDatabase baselineDatabase = server.create()) {
      runOn(new EngineContender(engineDatabase, 30));
      runOn(new PostgresBaseline(baselineDatabase, 50));

      assertThat(filledColumns(baselineDatabase)).isEqualTo(filledColumns(engineDatabase));
    }
  }

  @Test
  void the_baseline_writes_the_same_rows_as_the_engine_on_sqlite() throws Exception {
    try (BenchDatabase engineDatabase = SqliteDatabase.create();
        BenchDatabase baselineDatabase = SqliteDatabase.create()) {
      runOn(new EngineContender(engineDatabase, 30));
      runOn(new SqliteBaseline(baselineDatabase, 50));

      assertThat(filledColumns(baselineDatabase)).isEqualTo(filledColumns(engineDatabase));
    }
  }

  @Test
  void rejects_a_round_whose_tasks_did_not_run_exactly_once() {
    assertThatThrownBy(() -> new DurableContender.Counts(9, 9, 1).requireExactly("contender", 10))
        .hasMessageContaining("contender got 10 tasks");
    assertThatThrownBy(() -> new DurableContender.Counts(11, 10, 0).requireExactly("contender", 10))
        .hasMessageContaining("ran=11");
  }

  @Test
  void an_invalid_option_is_named_in_the_error() {
    assertThatThrownBy(() -> DurableBenchOptions.parse("--speed", "9"))
        .hasMessageContaining("--speed");
    assertThatThrownBy(() -> DurableBenchOptions.parse("--tasks", "0"))
        .hasMessageContaining("--tasks");
  }

  static List<Arguments> documentedArguments() {
    return PerformanceDocument.argumentsOf(DurableBench.class).stream()
        .map(args -> Arguments.of((Object) args))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("documentedArguments")
  void accepts_the_options_of_the_documented_commands(String[] args) {
    assertThat(DurableBenchOptions.parse(args).contenders).isSubsetOf(ContenderSetups.NAMES);
  }

  private static void runOn(DurableContender contender) throws SQLException, InterruptedException {
    try (contender) {
      contender.submit(0, TASKS / 2);
      contender.submit(TASKS / 2, TASKS / 2);
      contender.start();
      contender.awaitEnded(TASKS);
    }
    contender.counts().requireExactly("the contender", TASKS);
  }

  /** The number of non-null values in each column of each table. */
  private static Map<String, Long> filledColumns(BenchDatabase database) throws SQLException {
    Map<String, Long> filled = new TreeMap<>();
    for (String table :
        List.of("perdure_batch", "perdure_task", "perdure_task_state", "perdure_attempt")) {
      for (String column : columns(database, table)) {
        filled.put(
            table + "." + column, database.queryLong("SELECT count(" + column + ") FROM " + table));
      }
    }
    return filled;
  }

  private static List<String> columns(BenchDatabase database, String table) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM " + table + " LIMIT 1")) {
      ResultSetMetaData meta = rows.getMetaData();
      for (int i = 1; i <= meta.getColumnCount(); i++) {
        names.add(meta.getColumnName(i));
      }
    }
    return names;
  }

  private static PrintStream discard() {
    return new PrintStream(OutputStream.nullOutputStream());
  }
}

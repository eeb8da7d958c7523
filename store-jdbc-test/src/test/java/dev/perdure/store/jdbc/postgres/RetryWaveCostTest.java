// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.RetryWindow;
import dev.perdure.store.jdbc.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What it costs to count the retries of an hour, with generic plans. */
final class RetryWaveCostTest {

  private static final int RETRIES = 10_000;

  private final PostgresScenario scenario = new PostgresScenario();
  private final BlockCounter counter = new BlockCounter(scenario);

  @AfterEach
  void close() {
    scenario.close();
  }

  @BeforeEach
  void disable_autovacuum_and_force_generic_plans() throws SQLException {
    scenario.store.close();
    counter.execute(
        "ALTER TABLE perdure_task_state SET (autovacuum_enabled = false)",
        """
        DO $$ BEGIN
          EXECUTE 'ALTER DATABASE ' || current_database()
            || ' SET plan_cache_mode = force_generic_plan';
        END $$
        """);
  }

  /**
   * One retry every 300 ms, and as many tasks that have ended. The first VACUUM after an
   * asynchronous commit marks only some pages as visible, so every test needs a second one.
   */
  private void fill() throws SQLException {
    counter.use(store -> store.submit(PostgresScenario.submission(2 * RETRIES)));
    counter.execute(
        """
        UPDATE perdure_task_state s
        SET state = CASE WHEN n.place <= %1$d THEN 'retry_pending' ELSE 'success' END,
            ended_at = CASE WHEN n.place <= %1$d THEN NULL ELSE s.due_at END,
            due_at = s.due_at + n.place * INTERVAL '300 milliseconds',
            claim_at = s.claim_at + n.place * INTERVAL '300 milliseconds'
        FROM (
          SELECT id, row_number() OVER (ORDER BY md5(id::text)) AS place FROM perdure_task_state
        ) n
        WHERE s.id = n.id
        """
            .formatted(RETRIES),
        "VACUUM perdure_task_state");
  }

  /**
   * Blocks are the pages of the index and the way to each range; 10,000 rows of the table would be
   * as many blocks.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void counting_reads_the_index_and_no_rows(boolean byKind) throws SQLException {
    fill();
    RetryWaveQuery query = RetryWaveQuery.of(RetryWindow.HOUR).withByKind(byKind);
    RetryWave[] wave = new RetryWave[1];
    long blocks = counter.blocks("task_state", store -> wave[0] = store.reader().retryWave(query));

    assertThat(wave[0].counts().stream().mapToLong(Long::longValue).sum()).isEqualTo(RETRIES);
    assertThat(blocks).isLessThan(2_000);
  }

  @ParameterizedTest
  @CsvSource({
    "retry_wave.count, true",
    "retry_wave.count, false",
    "retry_wave.count_by_kind, true",
    "retry_wave.count_by_kind, false"
  })
  void each_range_is_an_index_only_scan_with_and_without_statistics(
      String statement, boolean statistics) throws SQLException {
    fill();
    counter.execute(statistics ? "VACUUM ANALYZE perdure_task_state" : "VACUUM perdure_task_state");

    assertThat(plan(statement))
        .contains("Index Only Scan using perdure_task_state_retry on perdure_task_state s")
        .containsPattern("Index Cond: .*shard.*due_at >.*due_at <=")
        .doesNotContain("Seq Scan", "Bitmap");
  }

  private String plan(String name) throws SQLException {
    String text = SqlStatements.load("postgres").get(name).text();
    List<String> values = new ArrayList<>();
    while (text.contains("?")) {
      values.add("NULL");
      text = text.replaceFirst("\\?", "\\$" + values.size());
    }
    try (Connection connection = scenario.database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("PREPARE wave AS " + text);
      StringBuilder plan = new StringBuilder();
      try (ResultSet row =
          statement.executeQuery("EXPLAIN EXECUTE wave(%s)".formatted(String.join(", ", values)))) {
        while (row.next()) {
          plan.append(row.getString(1)).append('\n');
        }
      }
      return plan.toString();
    }
  }
}

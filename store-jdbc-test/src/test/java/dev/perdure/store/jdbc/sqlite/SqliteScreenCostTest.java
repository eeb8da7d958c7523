// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.store.jdbc.ScreenRequests;
import dev.perdure.testing.FakeClock;
import java.nio.file.Path;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.ProgressHandler;

/**
 * What each request of the dashboard costs with many tasks, in steps of SQLite's virtual machine.
 * With {@code -Dperdure.cost.tasks=1000000} the store has a million tasks; the limit is the same.
 */
@Tag("slow")
final class SqliteScreenCostTest {

  /** The handler is called after each so many steps. */
  private static final int EVERY = 1_000;

  /**
   * The dearest request takes 2.3 million steps: 40 to 50 ms with warm caches on two cores, so this
   * is well below 200 ms.
   */
  private static final long MAX_STEPS = 4_000_000;

  @TempDir Path folder;

  private static final class Steps extends ProgressHandler {
    private final AtomicLong count = new AtomicLong();

    @Override
    protected int progress() {
      count.addAndGet(EVERY);
      return 0;
    }
  }

  @Test
  void no_request_of_a_screen_costs_more_with_many_tasks() {
    Steps steps = new Steps();
    Map<String, Long> expensive = new TreeMap<>();
    try (SqliteStore store =
        SqliteStore.open(
            "sqlite:" + folder.resolve("tasks.db"), SqliteFixture.settings(new FakeClock(), 1))) {
      fill(store);
      boolean counting =
          store.read(
              (session, now) -> {
                ProgressHandler.setHandler(session.connection(), EVERY, steps);
                return true;
              });
      assertThat(counting).isTrue();
      for (Map.Entry<String, Consumer<TaskStore>> request : requests().entrySet()) {
        long before = steps.count.get();
        long begin = System.nanoTime();
        request.getValue().accept(store);
        long cost = steps.count.get() - before;
        if (Boolean.getBoolean("perdure.cost.print")) {
          System.out.printf(
              "%-40s %14d steps %8d ms%n",
              request.getKey(), cost, (System.nanoTime() - begin) / 1_000_000);
        }
        if (cost > MAX_STEPS) {
          expensive.put(request.getKey(), cost);
        }
      }
    }
    assertThat(expensive).isEmpty();
  }

  private static Map<String, Consumer<TaskStore>> requests() {
    return ScreenRequests.all(id(ScreenRequests.TASKS / 2), id(1));
  }

  /** The id of the task with this number, as the statements write it. */
  private static UUID id(long number) {
    return new UUID(((1_700_000_000_000L + number) << 16) | 0x7000, (1L << 63) | (number << 12));
  }

  /**
   * One in ten tasks waits for a retry, one in fifty has failed, and a few of each other state are
   * older than all others. The first batch has many tasks, the others have 20 each.
   */
  private static void fill(SqliteStore store) {
    store.write(
        (session, now) -> {
          try (Statement statement = session.connection().createStatement()) {
            String tasks = Long.toString(ScreenRequests.TASKS);
            String fill = FILL.replace(":tasks", tasks).replace(":now", Long.toString(now));
            for (String sql : fill.strip().split(";\n", -1)) {
              statement.execute(sql);
            }
          }
          return true;
        });
    store.write(
        (session, now) -> {
          try (Statement statement = session.connection().createStatement()) {
            statement.execute("ANALYZE");
          }
          return true;
        });
  }

  private static final String FILL =
      """
      CREATE TEMP TABLE n AS
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :tasks)
      SELECT
        i,
        unhex(printf('%012x70008%015x', 1700000000000 + i, i * 4096)) AS id,
        unhex(printf('%012x70008%015x', 1700000000000 + b, b * 4096)) AS batch,
        b,
        CASE
          WHEN i < 50 THEN 'running'
          WHEN i < 100 THEN 'canceled'
          WHEN i < 200 THEN 'pending'
          WHEN i % 10 = 0 THEN 'retry_pending'
          WHEN i % 50 = 1 THEN 'failure'
          ELSE 'success'
        END AS state
      FROM (SELECT i, CASE WHEN i <= 20000 THEN 1 ELSE i - i % 20 END AS b FROM n);
      INSERT INTO perdure_batch (shard, id, created_at, size, last_active_at)
      SELECT 0, batch, 1700000000000 + b, count(*), :now FROM n GROUP BY b;
      INSERT INTO perdure_task (shard, batch, id, created_at, payload)
      SELECT 0, batch, id, 1700000000000 + i, '{}' FROM n ORDER BY b, i;
      INSERT INTO perdure_task_state (
        shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, owner,
        lease_until, attempt, losses, retry_base, retry_since, unmet, started_at, ended_at,
        updated_at, failure_kind, give_up_reason, success, failures, error)
      SELECT
        0, id, batch, 0, 'kind-' || i % 40, 0, state, 0, :now + i * 10, :now + i * 10, 1,
        CASE WHEN state = 'running' THEN 'w' END, CASE WHEN state = 'running' THEN :now + 60000 END,
        1, 0, 0, :now, 0, CASE WHEN state = 'running' THEN :now END,
        CASE WHEN state IN ('success', 'failure', 'canceled') THEN :now - i % 80000000 END, :now,
        CASE WHEN state IN ('retry_pending', 'failure') THEN 'explicit' END,
        CASE WHEN state = 'failure' THEN 'exhausted' END, 0, 0,
        CASE WHEN state IN ('retry_pending', 'failure') THEN 'e' || i / 10 % 30 END
      FROM n;
      INSERT INTO perdure_attempt (shard, task, epoch, number, ended_at, outcome, status, message)
      SELECT 0, id, 1, 0, :now - 1000, CASE state WHEN 'success' THEN 'success' ELSE 'failure' END,
        0, 'the service is away'
      FROM n WHERE state IN ('success', 'failure', 'retry_pending');
      DROP TABLE n
      """;
}

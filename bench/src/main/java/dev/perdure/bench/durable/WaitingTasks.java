// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.sql.SQLException;

/**
 * Creates databases with tasks of the benchmark's kind that are due next week. The tasks look as if
 * they were submitted yesterday, 1,000 per batch. They have a name, unlike the tasks of a round.
 */
final class WaitingTasks {

  private static final String POSTGRES_ROWS =
      """
      CREATE TEMPORARY TABLE waiting AS
      SELECT
        i,
        CAST(lpad(to_hex(CAST(t.ms + i / 4096 AS bigint)), 12, '0') || '7'
          || lpad(to_hex(i & 4095), 3, '0') || '8' || substr(md5(CAST(i AS text)), 1, 12) || '000'
          AS uuid) AS id,
        CAST(lpad(to_hex(CAST(t.ms + i / 1000 AS bigint)), 12, '0') || '70008'
          || substr(md5(CAST(i / 1000 AS text)), 1, 12) || '000' AS uuid) AS batch,
        now() - INTERVAL '1 day' AS made_at,
        now() + INTERVAL '7 days' + i * INTERVAL '1 millisecond' AS due_at
      FROM generate_series(0, :tasks - 1) AS g (i)
      CROSS JOIN (
        SELECT CAST(EXTRACT(epoch FROM now() - INTERVAL '1 day') * 1000 AS bigint) AS ms) t;

      INSERT INTO perdure_batch (shard, id, created_at, last_active_at, size)
      SELECT 0, w.batch, min(w.made_at), min(w.made_at), count(*) FROM waiting w GROUP BY w.batch;

      INSERT INTO perdure_task (shard, batch, id, created_at, name, payload)
      SELECT 0, w.batch, w.id, w.made_at, 'next week', '{"number":' || w.i || '}'
      FROM waiting w ORDER BY w.i;

      INSERT INTO perdure_task_state (
        shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt,
        losses, retry_base, retry_since, unmet, updated_at, success, failures
      )
      SELECT
        0, w.id, w.batch, 0, 'noop', 0, 'pending', 0, w.due_at, w.due_at, 0, 0, 0, 0, w.due_at, 0,
        w.made_at, 0, 0
      FROM waiting w ORDER BY w.i;
      """;

  private static final String SQLITE_ROWS =
      """
      CREATE TABLE waiting AS
      WITH RECURSIVE g (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM g WHERE i + 1 < :tasks),
      t AS (SELECT CAST(unixepoch('now', '-1 day') AS INTEGER) * 1000 AS ms)
      SELECT
        g.i,
        unhex(printf('%012x7%03x8%012x000', t.ms + g.i / 4096, g.i & 4095, g.i)) AS id,
        unhex(printf('%012x70008%012x000', t.ms + g.i / 1000, g.i / 1000)) AS batch,
        t.ms AS made_at,
        t.ms + 8 * 86400000 + g.i AS due_at
      FROM g
      CROSS JOIN t
      """;

  private WaitingTasks() {}

  static PostgresDatabase onPostgres(PostgresServer server, int tasks) throws SQLException {
    PostgresDatabase database = server.create();
    database.execute(POSTGRES_ROWS.replace(":tasks", Integer.toString(tasks)));
    database.execute("VACUUM (FREEZE, ANALYZE)");
    return database;
  }

  static SqliteDatabase onSqlite(int tasks) throws SQLException {
    SqliteDatabase database = SqliteDatabase.create();
    database.execute(SQLITE_ROWS.replace(":tasks", Integer.toString(tasks)));
    database.execute(
        "INSERT INTO perdure_batch (shard, id, created_at, last_active_at, size)"
            + " SELECT 0, batch, min(made_at), min(made_at), count(*) FROM waiting GROUP BY batch");
    database.execute(
        "INSERT INTO perdure_task (shard, batch, id, created_at, name, payload)"
            + " SELECT 0, batch, id, made_at, 'next week', '{\"number\":' || i || '}'"
            + " FROM waiting ORDER BY i");
    database.execute(
        """
        INSERT INTO perdure_task_state (
          shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt,
          losses, retry_base, retry_since, unmet, updated_at, success, failures
        )
        SELECT
          0, id, batch, 0, 'noop', 0, 'pending', 0, due_at, due_at, 0, 0, 0, 0, due_at, 0,
          made_at, 0, 0
        FROM waiting ORDER BY i
        """);
    database.execute("DROP TABLE waiting");
    database.execute("VACUUM");
    database.checkpoint();
    return database;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The least work that PostgreSQL must do for the same rows: hand-written statements with one batch
 * each, and two threads that claim and settle. There are no nodes, leases, policies or listeners.
 */
public final class PostgresBaseline implements DurableContender {

  private static final int WORKERS = 2;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final String OWNER = new UUID(0, 0).toString();

  private static final String INSERT =
      """
      WITH batched AS (
        INSERT INTO perdure_batch (shard, id, created_at, last_active_at, size)
        VALUES (0, ?, now(), now(), ?)
      ),
      given AS MATERIALIZED (
        SELECT g.id, g.payload
        FROM unnest(CAST(? AS uuid[]), CAST(? AS text[])) AS g (id, payload)
      ),
      added AS (
        INSERT INTO perdure_task_state (
          shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt,
          losses, retry_base, retry_since, unmet, updated_at, success, failures
        )
        SELECT
          0, g.id, ?, 0, 'noop', 0, 'pending', 0, now(), now(), 0, 0, 0, 0, now(), 0, now(), 0, 0
        FROM given g
      )
      INSERT INTO perdure_task (shard, batch, id, created_at, payload)
      SELECT 0, ?, g.id, now(), g.payload
      FROM given g
      """;

  private static final String CLAIM =
      """
      WITH due AS MATERIALIZED (
        SELECT s.id
        FROM perdure_task_state s
        WHERE s.shard = 0
          AND COALESCE(s.queue, s.kind) = 'noop'
          AND s.state IN ('pending', 'retry_pending')
          AND s.hold = 0
          AND s.priority = 0
          AND s.claim_at <= now()
        ORDER BY s.claim_at
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      ),
      claimed AS (
        UPDATE perdure_task_state s
        SET state = 'running', epoch = s.epoch + 1, owner = ?, started_at = now(),
            updated_at = now()
        WHERE s.shard = 0
          AND s.id = ANY (ARRAY(SELECT due.id FROM due))
        RETURNING s.id, s.batch, s.epoch
      )
      SELECT c.id, c.epoch, d.payload
      FROM claimed c
      CROSS JOIN LATERAL (
        SELECT t.payload
        FROM perdure_task t
        WHERE t.shard = 0
          AND t.batch = c.batch
          AND t.id = c.id
        LIMIT 1
      ) d
      """;

  /**
   * The redundant conditions make the planner expect few rows, so that it finds them through the
   * primary key. The engine's statement does the same.
   */
  private static final String SETTLE =
      """
      WITH given AS MATERIALIZED (
        SELECT g.id, g.epoch, 'running' AS prior, CAST(g.epoch * 0 AS integer) AS shard
        FROM unnest(CAST(? AS uuid[]), CAST(? AS bigint[])) AS g (id, epoch)
        WHERE g.epoch * 0 = 0
          AND (g.epoch + 1) * 0 = 0
      ),
      written AS (
        UPDATE perdure_task_state s
        SET state = 'success', owner = NULL, ended_at = now(), updated_at = now()
        FROM given g
        WHERE s.shard = g.shard
          AND s.id = g.id
          AND s.state = g.prior
          AND s.epoch = g.epoch
        RETURNING s.id, s.epoch, s.started_at
      )
      INSERT INTO perdure_attempt (
        shard, task, epoch, number, worker, started_at, ended_at, outcome, status
      )
      SELECT 0, w.id, w.epoch, 0, ?, w.started_at, now(), 'success', 0
      FROM written w
      """;

  private final BenchDatabase database;
  private final int batch;
  private final HikariDataSource pool;
  private final BaselineIds ids = new BaselineIds();
  private final CompletionCounter completions = new CompletionCounter();
  private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
  private volatile boolean stopped;

  PostgresBaseline(BenchDatabase database, int batch) {
    this(database, batch, 2 * WORKERS);
  }

  /** Creates a baseline with a limit on its connections. */
  public PostgresBaseline(BenchDatabase database, int batch, int connections) {
    this.database = database;
    this.batch = batch;
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.jdbcUrl());
    config.setMaximumPoolSize(connections);
    this.pool = new HikariDataSource(config);
  }

  @Override
  public void submit(int first, int count) throws SQLException {
    UUID of = ids.next();
    UUID[] rows = new UUID[count];
    String[] payloads = new String[count];
    for (int i = 0; i < count; i++) {
      rows[i] = ids.next();
      payloads[i] = DurableContender.payload(first + i);
    }
    try (Connection connection = pool.getConnection();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setObject(1, of);
      insert.setInt(2, count);
      insert.setArray(3, connection.createArrayOf("uuid", rows));
      insert.setArray(4, connection.createArrayOf("text", payloads));
      insert.setObject(5, of);
      insert.setObject(6, of);
      insert.executeUpdate();
    }
  }

  @Override
  public void start() {
    for (int i = 0; i < WORKERS; i++) {
      workers.execute(this::work);
    }
  }

  private void work() {
    try (Connection connection = pool.getConnection();
        PreparedStatement claim = connection.prepareStatement(CLAIM);
        PreparedStatement settle = connection.prepareStatement(SETTLE)) {
      while (!stopped) {
        int settled = claimAndSettle(connection, claim, settle);
        if (settled == 0) {
          LockSupport.parkNanos(POLL_NANOS);
        }
        completions.add(settled);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private int claimAndSettle(
      Connection connection, PreparedStatement claim, PreparedStatement settle)
      throws SQLException {
    List<UUID> taken = new ArrayList<>(batch);
    List<Long> epochs = new ArrayList<>(batch);
    claim.setInt(1, batch);
    claim.setString(2, OWNER);
    try (ResultSet rows = claim.executeQuery()) {
      while (rows.next()) {
        taken.add(rows.getObject(1, UUID.class));
        epochs.add(rows.getLong(2));
        if (rows.getString(3).isEmpty()) {
          throw new IllegalStateException("A task has no payload");
        }
      }
    }
    if (taken.isEmpty()) {
      return 0;
    }
    Array tasks = connection.createArrayOf("uuid", taken.toArray());
    settle.setArray(1, tasks);
    settle.setArray(2, connection.createArrayOf("int8", epochs.toArray()));
    settle.setString(3, OWNER);
    return settle.executeUpdate();
  }

  @Override
  public void awaitEnded(int tasks) throws InterruptedException {
    completions.await(tasks);
  }

  @Override
  public Counts counts() throws SQLException {
    return TaskTableCounts.counts(database);
  }

  @Override
  public void close() {
    stopped = true;
    workers.close();
    pool.close();
  }
}

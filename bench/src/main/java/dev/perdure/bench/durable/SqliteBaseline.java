// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The least work that SQLite must do for the same rows: one connection, one batch per transaction,
 * statements that are prepared once, and one statement per batch where possible.
 */
public final class SqliteBaseline implements DurableContender {

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final String OWNER = new UUID(0, 0).toString();

  private static final String BATCH =
      "INSERT INTO perdure_batch (shard, id, created_at, last_active_at, size)"
          + " VALUES (0, ?1, ?2, ?2, ?3)";

  private static final String STATE =
      """
      INSERT INTO perdure_task_state (
        shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt,
        losses, retry_base, retry_since, unmet, updated_at, success, failures
      )
      VALUES (0, ?1, ?2, 0, 'noop', 0, 'pending', 0, ?3, ?3, 0, 0, 0, 0, ?3, 0, ?3, 0, 0)
      """;

  private static final String TASK =
      "INSERT INTO perdure_task (shard, batch, id, created_at, payload) VALUES (0, ?, ?, ?, ?)";

  private static final String CLAIM =
      """
      UPDATE perdure_task_state
      SET state = 'running', epoch = epoch + 1, owner = ?1, started_at = ?2, updated_at = ?2
      WHERE shard = 0
        AND id IN (
          SELECT s.id
          FROM perdure_task_state s INDEXED BY perdure_task_state_claim
          WHERE s.shard = 0
            AND COALESCE(s.queue, s.kind) = 'noop'
            AND s.state IN ('pending', 'retry_pending')
            AND s.hold = 0
            AND s.priority = 0
            AND s.claim_at <= ?2
          ORDER BY s.claim_at
          LIMIT ?3
        )
      RETURNING
        hex(id),
        (SELECT t.payload FROM perdure_task t
         WHERE t.shard = 0 AND t.batch = perdure_task_state.batch
           AND t.id = perdure_task_state.id)
      """;

  private static final String ATTEMPT =
      """
      INSERT INTO perdure_attempt (
        shard, task, epoch, number, worker, started_at, ended_at, outcome, status
      )
      SELECT 0, s.id, s.epoch, s.attempt, s.owner, s.started_at, ?1, 'success', 0
      FROM json_each(?2) j
      CROSS JOIN perdure_task_state s
      WHERE s.shard = 0
        AND s.id = unhex(j.value)
        AND s.state = 'running'
      """;

  private static final String SETTLE =
      """
      UPDATE perdure_task_state
      SET state = 'success', owner = NULL, ended_at = ?1, updated_at = ?1
      WHERE shard = 0
        AND id IN (SELECT unhex(j.value) FROM json_each(?2) j)
        AND state = 'running'
      """;

  private final BenchDatabase database;
  private final int batch;
  private final Connection connection;
  private final PreparedStatement insertBatch;
  private final PreparedStatement insertState;
  private final PreparedStatement insertTask;
  private final PreparedStatement claimTasks;
  private final PreparedStatement insertAttempts;
  private final PreparedStatement settleTasks;
  private final BaselineIds ids = new BaselineIds();
  private final CompletionCounter completions = new CompletionCounter();
  private volatile boolean stopped;
  private @Nullable Thread worker;

  public SqliteBaseline(BenchDatabase database, int batch) throws SQLException {
    this.database = database;
    this.batch = batch;
    this.connection = database.connect();
    connection.setAutoCommit(false);
    this.insertBatch = connection.prepareStatement(BATCH);
    this.insertState = connection.prepareStatement(STATE);
    this.insertTask = connection.prepareStatement(TASK);
    this.claimTasks = connection.prepareStatement(CLAIM);
    this.insertAttempts = connection.prepareStatement(ATTEMPT);
    this.settleTasks = connection.prepareStatement(SETTLE);
  }

  @Override
  public synchronized void submit(int first, int count) throws SQLException {
    byte[] of = bytes(ids.next());
    long now = System.currentTimeMillis();
    insertBatch.setBytes(1, of);
    insertBatch.setLong(2, now);
    insertBatch.setInt(3, count);
    insertBatch.executeUpdate();
    for (int i = 0; i < count; i++) {
      byte[] id = bytes(ids.next());
      insertState.setBytes(1, id);
      insertState.setBytes(2, of);
      insertState.setLong(3, now);
      insertState.executeUpdate();
      insertTask.setBytes(1, of);
      insertTask.setBytes(2, id);
      insertTask.setLong(3, now);
      insertTask.setString(4, DurableContender.payload(first + i));
      insertTask.executeUpdate();
    }
    connection.commit();
  }

  private static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  @Override
  public void start() {
    worker = Thread.ofPlatform().name("baseline").start(this::work);
  }

  private void work() {
    while (!stopped) {
      int ended;
      try {
        ended = claimAndSettle();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      if (ended == 0) {
        LockSupport.parkNanos(POLL_NANOS);
      }
      completions.add(ended);
    }
  }

  /** Uses two transactions, because a handler would run between claim and settle. */
  private synchronized int claimAndSettle() throws SQLException {
    String taken = claim();
    return taken.isEmpty() ? 0 : settle(taken);
  }

  /** Claims tasks and returns their ids as a JSON array, or an empty string. */
  private String claim() throws SQLException {
    List<String> taken = new ArrayList<>(batch);
    claimTasks.setString(1, OWNER);
    claimTasks.setLong(2, System.currentTimeMillis());
    claimTasks.setInt(3, batch);
    try (ResultSet rows = claimTasks.executeQuery()) {
      while (rows.next()) {
        taken.add(rows.getString(1));
        if (rows.getString(2).isEmpty()) {
          throw new IllegalStateException("A task has no payload");
        }
      }
    }
    connection.commit();
    return taken.isEmpty() ? "" : "[\"" + String.join("\",\"", taken) + "\"]";
  }

  private int settle(String taken) throws SQLException {
    long now = System.currentTimeMillis();
    insertAttempts.setLong(1, now);
    insertAttempts.setString(2, taken);
    insertAttempts.executeUpdate();
    settleTasks.setLong(1, now);
    settleTasks.setString(2, taken);
    int ended = settleTasks.executeUpdate();
    connection.commit();
    return ended;
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
    try {
      if (worker != null) {
        worker.join();
      }
      connection.close();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}

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
 * The least that SQLite must do for the same rows: one connection, a batch in each transaction,
 * statements prepared once for each.
 */
final class SqliteFloor implements Contender {

  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final String OWNER = new UUID(0, 0).toString();

  private static final String BATCH =
      "INSERT INTO batch (shard, id, created_at, size) VALUES (0, ?, ?, ?)";

  private static final String STATE =
      """
      INSERT INTO task_state (
        shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt,
        losses, retry_base, retry_since, unmet, updated_at, success, failures
      )
      VALUES (0, ?1, ?2, 0, 'noop', 0, 'pending', 0, ?3, ?3, 0, 0, 0, 0, ?3, 0, ?3, 0, 0)
      """;

  private static final String TASK =
      "INSERT INTO task (shard, batch, id, created_at, payload) VALUES (0, ?, ?, ?, ?)";

  private static final String DUE =
      """
      SELECT s.id, t.payload
      FROM task_state s INDEXED BY task_state_claim
      JOIN task t
        ON t.shard = 0 AND t.batch = s.batch AND t.id = s.id
      WHERE s.shard = 0
        AND s.kind = 'noop'
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 0
        AND s.priority = 0
        AND s.claim_at <= ?
      ORDER BY s.claim_at
      LIMIT ?
      """;

  private static final String CLAIM =
      """
      UPDATE task_state
      SET state = 'running', epoch = epoch + 1, owner = ?1, started_at = ?2, updated_at = ?2
      WHERE shard = 0
        AND id = ?3
      """;

  private static final String ATTEMPT =
      """
      INSERT INTO attempt (
        shard, task, epoch, number, worker, started_at, ended_at, outcome, status
      )
      SELECT 0, s.id, s.epoch, s.attempt, s.owner, s.started_at, ?1, 'success', 0
      FROM task_state s
      WHERE s.shard = 0
        AND s.id = ?2
        AND s.state = 'running'
      """;

  private static final String SETTLE =
      """
      UPDATE task_state
      SET state = 'success', owner = NULL, ended_at = ?1, updated_at = ?1
      WHERE shard = 0
        AND id = ?2
        AND state = 'running'
      """;

  private final Database database;
  private final int batch;
  private final Connection connection;
  private final FloorIds ids = new FloorIds();
  private final Finish finish = new Finish();
  private volatile boolean stopped;
  private @Nullable Thread worker;

  SqliteFloor(Database database, int batch) throws SQLException {
    this.database = database;
    this.batch = batch;
    this.connection = database.connect();
    connection.setAutoCommit(false);
  }

  @Override
  public synchronized void submit(int first, int count) throws SQLException {
    byte[] of = bytes(ids.next());
    long now = System.currentTimeMillis();
    try (PreparedStatement one = connection.prepareStatement(BATCH);
        PreparedStatement state = connection.prepareStatement(STATE);
        PreparedStatement task = connection.prepareStatement(TASK)) {
      one.setBytes(1, of);
      one.setLong(2, now);
      one.setInt(3, count);
      one.executeUpdate();
      for (int i = 0; i < count; i++) {
        byte[] id = bytes(ids.next());
        state.setBytes(1, id);
        state.setBytes(2, of);
        state.setLong(3, now);
        state.executeUpdate();
        task.setBytes(1, of);
        task.setBytes(2, id);
        task.setLong(3, now);
        task.setString(4, Contender.payload(first + i));
        task.executeUpdate();
      }
      connection.commit();
    }
  }

  private static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  @Override
  public void start() {
    worker = Thread.ofPlatform().name("floor").start(this::work);
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
        LockSupport.parkNanos(LOOK_AGAIN_NANOS);
      }
      finish.count(ended);
    }
  }

  /** Two transactions, as there would be a run between them. */
  private synchronized int claimAndSettle() throws SQLException {
    List<byte[]> taken = claim();
    return taken.isEmpty() ? 0 : settle(taken);
  }

  private List<byte[]> claim() throws SQLException {
    long now = System.currentTimeMillis();
    List<byte[]> taken = new ArrayList<>(batch);
    try (PreparedStatement due = connection.prepareStatement(DUE);
        PreparedStatement claim = connection.prepareStatement(CLAIM)) {
      due.setLong(1, now);
      due.setInt(2, batch);
      try (ResultSet rows = due.executeQuery()) {
        while (rows.next()) {
          taken.add(rows.getBytes(1));
          if (rows.getString(2).isEmpty()) {
            throw new IllegalStateException("a task without its payload");
          }
        }
      }
      for (byte[] id : taken) {
        claim.setString(1, OWNER);
        claim.setLong(2, now);
        claim.setBytes(3, id);
        claim.executeUpdate();
      }
      connection.commit();
    }
    return taken;
  }

  private int settle(List<byte[]> taken) throws SQLException {
    long now = System.currentTimeMillis();
    int ended = 0;
    try (PreparedStatement attempt = connection.prepareStatement(ATTEMPT);
        PreparedStatement settle = connection.prepareStatement(SETTLE)) {
      for (byte[] id : taken) {
        attempt.setLong(1, now);
        attempt.setBytes(2, id);
        attempt.executeUpdate();
        settle.setLong(1, now);
        settle.setBytes(2, id);
        ended += settle.executeUpdate();
      }
      connection.commit();
    }
    return ended;
  }

  @Override
  public void awaitEnded(int tasks) throws InterruptedException {
    finish.await(tasks);
  }

  @Override
  public Counts counts() throws SQLException {
    return OurTables.counts(database);
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

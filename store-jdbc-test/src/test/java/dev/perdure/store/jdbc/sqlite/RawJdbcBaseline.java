// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.sqlite.SQLiteConnection;

/**
 * The baseline: the same tables, rows, indexes and durability, written with special-purpose
 * statements.
 */
final class RawJdbcBaseline implements AutoCloseable {

  private final Connection connection;
  private final PreparedStatement begin;
  private final PreparedStatement commit;

  RawJdbcBaseline(Path file) throws SQLException {
    connection = SqliteFile.of(file).connectForWriting();
    connection.unwrap(SQLiteConnection.class).getConnectionConfig().setAutoCommit(false);
    begin = connection.prepareStatement("BEGIN IMMEDIATE");
    commit = connection.prepareStatement("COMMIT");
  }

  void submit(int tasks, int batch, String payload) throws SQLException {
    long now = System.currentTimeMillis();
    try (PreparedStatement batches =
            prepare(
                "INSERT INTO perdure_batch (shard, id, created_at, last_active_at, size)"
                    + " VALUES (0, ?1, ?2, ?2, ?3)");
        PreparedStatement definitions =
            prepare(
                "INSERT INTO perdure_task (shard, batch, id, created_at, payload)"
                    + " VALUES (0, ?, ?, ?, ?)");
        PreparedStatement states =
            prepare(
                "INSERT INTO perdure_task_state (shard, id, batch, run, kind, priority, state, hold,"
                    + " due_at, claim_at, epoch, attempt, losses, retry_base, retry_since, unmet,"
                    + " updated_at, success, failures) VALUES (0, ?, ?, 0, ?, 0, 'pending', 0, ?4,"
                    + " ?4, 0, 0, 0, 0, ?4, 0, ?4, 0, 0)")) {
      for (int i = 0; i < tasks / batch; i++) {
        begin.executeUpdate();
        byte[] batchId = SqliteValues.bytes(SqliteTestTasks.id());
        batches.setBytes(1, batchId);
        batches.setLong(2, now);
        batches.setInt(3, batch);
        batches.executeUpdate();
        definitions.setBytes(1, batchId);
        definitions.setLong(3, now);
        definitions.setString(4, payload);
        states.setBytes(2, batchId);
        states.setString(3, SqliteTestTasks.KIND);
        states.setLong(4, now);
        for (int j = 0; j < batch; j++) {
          byte[] id = SqliteValues.bytes(SqliteTestTasks.id());
          definitions.setBytes(2, id);
          definitions.executeUpdate();
          states.setBytes(1, id);
          states.executeUpdate();
        }
        commit.executeUpdate();
      }
    }
  }

  void drain(int batch) throws SQLException {
    try (PreparedStatement due =
            prepare(
                "SELECT s.id, s.epoch, t.payload"
                    + " FROM perdure_task_state s INDEXED BY perdure_task_state_claim"
                    + " JOIN perdure_task t ON t.shard = s.shard AND t.batch = s.batch AND t.id = s.id"
                    + " WHERE s.shard = 0 AND COALESCE(s.queue, s.kind) = ? AND s.state IN ('pending',"
                    + " 'retry_pending') AND s.hold = 0 AND s.priority = 0 AND s.claim_at <= ?"
                    + " ORDER BY s.claim_at LIMIT ?");
        PreparedStatement claim =
            prepare(
                "UPDATE perdure_task_state SET state = 'running', epoch = epoch + 1, owner = ?, started_at"
                    + " = ?2, updated_at = ?2 WHERE shard = 0 AND id = ?3 AND state IN ('pending',"
                    + " 'retry_pending') AND hold = 0");
        PreparedStatement record =
            prepare(
                "INSERT INTO perdure_attempt (shard, task, epoch, number, worker, started_at, ended_at,"
                    + " outcome, status) VALUES (0, ?, ?, 0, ?, ?4, ?4, 'success', 0)");
        PreparedStatement settle =
            prepare(
                "UPDATE perdure_task_state SET state = 'success', owner = NULL, ended_at = ?1, updated_at ="
                    + " ?1 WHERE shard = 0 AND id = ?2 AND state = 'running' AND epoch = ?3")) {
      String worker = UUID.randomUUID().toString();
      due.setString(1, SqliteTestTasks.KIND);
      due.setInt(3, batch);
      claim.setString(1, worker);
      record.setString(3, worker);
      List<Row> rows;
      do {
        long now = System.currentTimeMillis();
        due.setLong(2, now);
        claim.setLong(2, now);
        record.setLong(4, now);
        settle.setLong(1, now);
        rows = claim(due, claim);
        settle(rows, record, settle);
      } while (!rows.isEmpty());
    }
  }

  private List<Row> claim(PreparedStatement due, PreparedStatement claim) throws SQLException {
    begin.executeUpdate();
    List<Row> rows = rows(due);
    for (Row row : rows) {
      claim.setBytes(3, SqliteValues.bytes(row.id()));
      claim.executeUpdate();
    }
    commit.executeUpdate();
    return rows;
  }

  private void settle(List<Row> rows, PreparedStatement record, PreparedStatement settle)
      throws SQLException {
    begin.executeUpdate();
    for (Row row : rows) {
      record.setBytes(1, SqliteValues.bytes(row.id()));
      record.setLong(2, row.epoch() + 1);
      record.executeUpdate();
      settle.setBytes(2, SqliteValues.bytes(row.id()));
      settle.setLong(3, row.epoch() + 1);
      settle.executeUpdate();
    }
    commit.executeUpdate();
  }

  private record Row(UUID id, long epoch, String payload) {}

  private static List<Row> rows(PreparedStatement due) throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (ResultSet found = due.executeQuery()) {
      while (found.next()) {
        rows.add(
            new Row(SqliteValues.uuid(found.getBytes(1)), found.getLong(2), found.getString(3)));
      }
    }
    return rows;
  }

  private PreparedStatement prepare(String sql) throws SQLException {
    return connection.prepareStatement(sql);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

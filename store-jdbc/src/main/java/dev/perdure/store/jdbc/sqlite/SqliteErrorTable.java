// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.ErrorTable;
import dev.perdure.engine.task.Attempt;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads the errors of failed tasks, one error after the other. */
final class SqliteErrorTable implements ErrorTable<SQLException> {

  private final SqliteSession session;

  SqliteErrorTable(SqliteSession session) {
    this.session = session;
  }

  @Override
  public List<ErrorPair> pairs(int shard, int limit) throws SQLException {
    List<ErrorPair> pairs = new ArrayList<>();
    CachedStatement next = session.statement("error.pairs").number("shard", shard);
    Optional<ErrorPair> pair = next.text("error", "").text("kind", "").one(SqliteErrorTable::pair);
    while (pair.isPresent() && pairs.size() < limit) {
      pairs.add(pair.get());
      pair =
          next.text("error", pair.get().error())
              .text("kind", pair.get().kind())
              .one(SqliteErrorTable::pair);
    }
    return pairs;
  }

  private static ErrorPair pair(ResultSet row) throws SQLException {
    return new ErrorPair(
        row.getString("error"),
        row.getString("kind"),
        SqliteColumnReader.TASK_ROW_MAPPER.instant(row, "last_at"),
        SqliteValues.uuid(row.getBytes("newest")));
  }

  @Override
  public List<ErrorCount> counts(int shard, List<ErrorPair> pairs, ErrorTimes times, int limit)
      throws SQLException {
    CachedStatement counts = counting("error.counts", shard, times, limit);
    List<ErrorCount> found = new ArrayList<>();
    for (ErrorPair pair : pairs) {
      found.addAll(
          counts
              .text("error", pair.error())
              .text("kind", pair.kind())
              .list(SqliteErrorTable::count));
    }
    return found;
  }

  @Override
  public List<ErrorCount> withoutError(int shard, ErrorTimes times, int limit) throws SQLException {
    return counting("error.without_error", shard, times, limit).list(SqliteErrorTable::count);
  }

  @Override
  public List<ErrorCount> retries(int shard, ErrorTimes times, int limit) throws SQLException {
    return counting("error.retries", shard, times, limit).list(SqliteErrorTable::count);
  }

  private CachedStatement counting(String name, int shard, ErrorTimes times, int limit)
      throws SQLException {
    return session
        .statement(name)
        .number("shard", shard)
        .number("limit", limit)
        .number("from", SqliteValues.millis(times.from()))
        .number("step_ms", times.stepMillis());
  }

  private static ErrorCount count(ResultSet row) throws SQLException {
    byte[] sample = row.getBytes("sample");
    return new ErrorCount(
        row.getString("error"),
        row.getString("kind"),
        row.getString("failure_kind"),
        row.getString("give_up_reason"),
        row.getInt("bucket"),
        row.getLong("tasks"),
        SqliteColumnReader.TASK_ROW_MAPPER.instant(row, "first_at"),
        SqliteColumnReader.TASK_ROW_MAPPER.instant(row, "last_at"),
        sample == null ? null : SqliteValues.uuid(sample));
  }

  @Override
  public List<Attempt> lastAttempts(int shard, List<UUID> tasks) throws SQLException {
    return session
        .statement("error.last_attempts")
        .number("shard", shard)
        .text("ids", SqliteValues.hexJson(tasks))
        .list(SqliteColumnReader.TASK_ROW_MAPPER::attempt);
  }
}

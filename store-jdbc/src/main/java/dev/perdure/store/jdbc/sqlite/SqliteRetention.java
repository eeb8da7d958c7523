// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.Retention;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Deletes what ended long ago. All searching is done by a reader; the writer has better to do. */
final class SqliteRetention implements Retention {

  private final SqliteStore store;
  private final long ageMs;
  private final int limit;

  SqliteRetention(SqliteStore store, Duration age, int limit) {
    this.store = store;
    this.ageMs = SqlTimes.toMillis(age);
    this.limit = limit;
  }

  /** A batch that may be old enough, and until when it has lived. */
  private record ExpiryCandidate(UUID id, long recordedActiveAt, long lastActiveAt) {}

  @Override
  public int markExpired(int shard) {
    List<ExpiryCandidate> old =
        store.read((sqliteSession, now) -> findCandidates(sqliteSession, now, shard));
    return old.isEmpty()
        ? 0
        : store.write((sqliteSession, now) -> writeMarks(sqliteSession, now, shard, old));
  }

  private List<ExpiryCandidate> findCandidates(SqliteSession sqliteSession, long now, int shard)
      throws SQLException {
    return sqliteSession
        .statement("batch.find_expired")
        .number("now", now)
        .number("shard", shard)
        .number("age_ms", ageMs)
        .number("limit", limit)
        .list(
            row ->
                new ExpiryCandidate(
                    SqliteValues.uuid(row.getBytes("id")),
                    row.getLong("last_active_at"),
                    row.getLong("active_at")));
  }

  private int writeMarks(
      SqliteSession sqliteSession, long now, int shard, List<ExpiryCandidate> old)
      throws SQLException {
    CachedStatement look =
        sqliteSession
            .statement("batch.mark_expired")
            .number("now", now)
            .number("shard", shard)
            .number("age_ms", ageMs);
    int noted = 0;
    for (ExpiryCandidate batch : old) {
      noted +=
          look.id("batch", batch.id())
              .number("recorded_active_at", batch.recordedActiveAt())
              .number("last_active_at", batch.lastActiveAt())
              .update();
    }
    return noted;
  }

  /** A batch that goes, and how far it has gone. */
  private record DeletingBatch(UUID id, int size, UUID deletedUpTo) {}

  @Override
  public int delete(int shard) {
    return store.read((sqliteSession, now) -> listDeleting(sqliteSession, shard)).isEmpty()
        ? 0
        : store.write((sqliteSession, now) -> delete(sqliteSession, now, shard));
  }

  private List<DeletingBatch> listDeleting(SqliteSession sqliteSession, int shard)
      throws SQLException {
    return sqliteSession
        .statement("batch.list_deleting")
        .number("shard", shard)
        .number("limit", limit)
        .list(
            row ->
                new DeletingBatch(
                    SqliteValues.uuid(row.getBytes("id")),
                    row.getInt("size"),
                    SqliteValues.uuid(row.getBytes("deleted_up_to"))));
  }

  private int delete(SqliteSession sqliteSession, long now, int shard) throws SQLException {
    int deleted = 0;
    long total = 0;
    for (DeletingBatch batch : listDeleting(sqliteSession, shard)) {
      boolean first = total == 0;
      total += batch.size();
      if (!first && total > limit) {
        break;
      }
      deleted += delete(sqliteSession, now, shard, batch);
    }
    return deleted;
  }

  /** One of the next tasks of a batch. */
  private record NextTask(UUID id, boolean ended) {}

  private int delete(SqliteSession sqliteSession, long now, int shard, DeletingBatch batch)
      throws SQLException {
    List<NextTask> piece =
        sqliteSession
            .statement("task.next_to_delete")
            .number("shard", shard)
            .id("batch", batch.id())
            .id("deleted_up_to", batch.deletedUpTo())
            .number("limit", limit)
            .list(
                row ->
                    new NextTask(SqliteValues.uuid(row.getBytes("id")), row.getBoolean("ended")));
    List<UUID> ended = new ArrayList<>();
    piece.stream().filter(NextTask::ended).map(NextTask::id).forEach(ended::add);
    String ids = SqliteValues.hexJson(ended);
    sqliteSession.statement("attempt.delete").number("shard", shard).text("ids", ids).update();
    sqliteSession
        .statement("delivery.delete")
        .number("shard", shard)
        .id("batch", batch.id())
        .text("ids", ids)
        .update();
    sqliteSession.statement("task_state.delete").number("shard", shard).text("ids", ids).update();
    sqliteSession
        .statement("task.delete")
        .number("shard", shard)
        .id("batch", batch.id())
        .text("ids", ids)
        .update();
    boolean more = piece.size() == limit;
    if (more || !deleteBatchIfEmpty(sqliteSession, shard, batch)) {
      saveDeleteProgress(sqliteSession, now, shard, batch, more ? piece.getLast().id() : null);
    }
    return ended.size();
  }

  private static boolean deleteBatchIfEmpty(
      SqliteSession sqliteSession, int shard, DeletingBatch batch) throws SQLException {
    return sqliteSession
            .statement("batch.delete")
            .number("shard", shard)
            .id("batch", batch.id())
            .update()
        == 1;
  }

  private static void saveDeleteProgress(
      SqliteSession sqliteSession, long now, int shard, DeletingBatch batch, @Nullable UUID goneTo)
      throws SQLException {
    sqliteSession
        .statement("batch.save_delete_progress")
        .number("now", now)
        .number("shard", shard)
        .id("batch", batch.id())
        .bytes("deleted_up_to", goneTo == null ? null : SqliteValues.bytes(goneTo))
        .update();
  }
}

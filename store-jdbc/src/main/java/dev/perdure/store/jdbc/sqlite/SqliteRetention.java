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

/** Deletes expired batches. Searches run on read connections to keep the writer free. */
final class SqliteRetention implements Retention {

  private final SqliteStore store;
  private final long ageMs;
  private final int limit;

  SqliteRetention(SqliteStore store, Duration age, int limit) {
    this.store = store;
    this.ageMs = SqlTimes.toMillis(age);
    this.limit = limit;
  }

  /**
   * A batch that may have expired.
   *
   * @param recordedActiveAt the last_active_at of its row
   * @param lastActiveAt when it really was last active
   */
  private record ExpiryCandidate(UUID id, long recordedActiveAt, long lastActiveAt) {}

  @Override
  public int markExpired(int shard) {
    List<ExpiryCandidate> candidates =
        store.read((session, now) -> findCandidates(session, now, shard));
    return candidates.isEmpty()
        ? 0
        : store.write((session, now) -> writeMarks(session, now, shard, candidates));
  }

  private List<ExpiryCandidate> findCandidates(SqliteSession session, long now, int shard)
      throws SQLException {
    return session
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
      SqliteSession session, long now, int shard, List<ExpiryCandidate> candidates)
      throws SQLException {
    CachedStatement mark =
        session
            .statement("batch.mark_expired")
            .number("now", now)
            .number("shard", shard)
            .number("age_ms", ageMs);
    int marked = 0;
    for (ExpiryCandidate batch : candidates) {
      marked +=
          mark.id("batch", batch.id())
              .number("recorded_active_at", batch.recordedActiveAt())
              .number("last_active_at", batch.lastActiveAt())
              .update();
    }
    return marked;
  }

  /**
   * A batch that is being deleted.
   *
   * @param deletedUpTo the tasks up to this id are deleted
   */
  private record DeletingBatch(UUID id, int size, UUID deletedUpTo) {}

  @Override
  public int delete(int shard) {
    return store.read((session, now) -> listDeleting(session, shard)).isEmpty()
        ? 0
        : store.write((session, now) -> delete(session, now, shard));
  }

  private List<DeletingBatch> listDeleting(SqliteSession session, int shard) throws SQLException {
    return session
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

  private int delete(SqliteSession session, long now, int shard) throws SQLException {
    int deleted = 0;
    long total = 0;
    for (DeletingBatch batch : listDeleting(session, shard)) {
      boolean first = total == 0;
      total += batch.size();
      if (!first && total > limit) {
        break;
      }
      deleted += delete(session, now, shard, batch);
    }
    return deleted;
  }

  /** A task of a batch that is being deleted. */
  private record NextTask(UUID id, boolean ended) {}

  private int delete(SqliteSession session, long now, int shard, DeletingBatch batch)
      throws SQLException {
    List<NextTask> tasks =
        session
            .statement("task.next_to_delete")
            .number("shard", shard)
            .id("batch", batch.id())
            .id("deleted_up_to", batch.deletedUpTo())
            .number("limit", limit)
            .list(
                row ->
                    new NextTask(SqliteValues.uuid(row.getBytes("id")), row.getBoolean("ended")));
    List<UUID> ended = new ArrayList<>();
    tasks.stream().filter(NextTask::ended).map(NextTask::id).forEach(ended::add);
    String ids = SqliteValues.hexJson(ended);
    session.statement("attempt.delete").number("shard", shard).text("ids", ids).update();
    for (String delete : List.of("dependency.delete_on_parents", "dependency.delete_of_children")) {
      session.statement(delete).number("shard", shard).text("ids", ids).update();
    }
    session
        .statement("delivery.delete")
        .number("shard", shard)
        .id("batch", batch.id())
        .text("ids", ids)
        .update();
    session.statement("task_state.delete").number("shard", shard).text("ids", ids).update();
    session
        .statement("task.delete")
        .number("shard", shard)
        .id("batch", batch.id())
        .text("ids", ids)
        .update();
    boolean more = tasks.size() == limit;
    if (more || !deleteBatchIfEmpty(session, shard, batch)) {
      saveDeleteProgress(session, now, shard, batch, more ? tasks.getLast().id() : null);
    }
    return ended.size();
  }

  private static boolean deleteBatchIfEmpty(SqliteSession session, int shard, DeletingBatch batch)
      throws SQLException {
    boolean deleted =
        session.statement("batch.delete").number("shard", shard).id("batch", batch.id()).update()
            == 1;
    if (deleted) {
      session.statement("run.delete").number("shard", shard).id("batch", batch.id()).update();
    }
    return deleted;
  }

  private static void saveDeleteProgress(
      SqliteSession session, long now, int shard, DeletingBatch batch, @Nullable UUID deletedUpTo)
      throws SQLException {
    session
        .statement("batch.save_delete_progress")
        .number("now", now)
        .number("shard", shard)
        .id("batch", batch.id())
        .bytes("deleted_up_to", deletedUpTo == null ? null : SqliteValues.bytes(deletedUpTo))
        .update();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.Lengths;
import dev.perdure.store.jdbc.sql.Purge;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Deletes what ended long ago. All searching is done by a reader; the writer has better to do. */
final class SqlitePurge implements Purge {

  private final SqliteStore store;
  private final long ageMs;
  private final int limit;

  SqlitePurge(SqliteStore store, Duration age, int limit) {
    this.store = store;
    this.ageMs = Lengths.millis(age);
    this.limit = limit;
  }

  /** A batch that may be old enough, and until when it has lived. */
  private record Old(UUID id, long liveAt, long livedAt) {}

  @Override
  public int look(int shard) {
    List<Old> old = store.read((session, now) -> old(session, now, shard));
    return old.isEmpty() ? 0 : store.write((session, now) -> note(session, now, shard, old));
  }

  private List<Old> old(Session session, long now, int shard) throws SQLException {
    return session
        .sql("batch.old")
        .number("now", now)
        .number("shard", shard)
        .number("age_ms", ageMs)
        .number("limit", limit)
        .rows(
            row ->
                new Old(
                    Values.uuid(row.getBytes("id")),
                    row.getLong("live_at"),
                    row.getLong("lived_at")));
  }

  private int note(Session session, long now, int shard, List<Old> old) throws SQLException {
    Prepared look =
        session.sql("batch.look").number("now", now).number("shard", shard).number("age_ms", ageMs);
    int noted = 0;
    for (Old batch : old) {
      noted +=
          look.id("batch", batch.id())
              .number("live_at", batch.liveAt())
              .number("lived_at", batch.livedAt())
              .update();
    }
    return noted;
  }

  /** A batch that goes, and how far it has gone. */
  private record Going(UUID id, int size, UUID goneTo) {}

  @Override
  public int delete(int shard) {
    return store.read((session, now) -> going(session, shard)).isEmpty()
        ? 0
        : store.write((session, now) -> delete(session, now, shard));
  }

  private List<Going> going(Session session, int shard) throws SQLException {
    return session
        .sql("batch.going")
        .number("shard", shard)
        .number("limit", limit)
        .rows(
            row ->
                new Going(
                    Values.uuid(row.getBytes("id")),
                    row.getInt("size"),
                    Values.uuid(row.getBytes("gone_to"))));
  }

  private int delete(Session session, long now, int shard) throws SQLException {
    int deleted = 0;
    long total = 0;
    for (Going batch : going(session, shard)) {
      boolean first = total == 0;
      total += batch.size();
      if (!first && total > limit) {
        break;
      }
      deleted += delete(session, now, shard, batch);
    }
    return deleted;
  }

  /** One of the next tasks of a batch. */
  private record Next(UUID id, boolean ended) {}

  private int delete(Session session, long now, int shard, Going batch) throws SQLException {
    List<Next> piece =
        session
            .sql("task.piece")
            .number("shard", shard)
            .id("batch", batch.id())
            .id("gone_to", batch.goneTo())
            .number("limit", limit)
            .rows(row -> new Next(Values.uuid(row.getBytes("id")), row.getBoolean("ended")));
    List<UUID> ended = new ArrayList<>();
    piece.stream().filter(Next::ended).map(Next::id).forEach(ended::add);
    String ids = Values.json(ended);
    session.sql("attempt.purge").number("shard", shard).text("ids", ids).update();
    session
        .sql("delivery.purge")
        .number("shard", shard)
        .id("batch", batch.id())
        .text("ids", ids)
        .update();
    session.sql("task_state.purge").number("shard", shard).text("ids", ids).update();
    session
        .sql("task.purge")
        .number("shard", shard)
        .id("batch", batch.id())
        .text("ids", ids)
        .update();
    boolean more = piece.size() == limit;
    if (more || !isOver(session, shard, batch)) {
      move(session, now, shard, batch, more ? piece.getLast().id() : null);
    }
    return ended.size();
  }

  private static boolean isOver(Session session, int shard, Going batch) throws SQLException {
    return session.sql("batch.purge").number("shard", shard).id("batch", batch.id()).update() == 1;
  }

  private static void move(Session session, long now, int shard, Going batch, @Nullable UUID goneTo)
      throws SQLException {
    session
        .sql("batch.move")
        .number("now", now)
        .number("shard", shard)
        .id("batch", batch.id())
        .bytes("gone_to", goneTo == null ? null : Values.bytes(goneTo))
        .update();
  }
}

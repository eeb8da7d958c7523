// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads limits, and changes those of tasks. */
final class SqliteLimitStore implements LimitStore {

  private final SqliteStore store;

  SqliteLimitStore(SqliteStore store) {
    this.store = store;
  }

  @Override
  public List<LimitUsage> list(String after, int limit) {
    return store.read(
        (session, now) -> {
          List<LimitUsage> all = new ArrayList<>();
          for (int shard = 0; shard < store.shards(); shard++) {
            List<LimitUsage> found =
                session
                    .statement("limit_admin.list")
                    .number("shard", shard)
                    .text("after", after)
                    .number("limit", limit)
                    .number("max_counted", MAX_COUNTED)
                    .list(SqliteLimitTables.LIMIT_ROWS::usage);
            all.addAll(tables(session, now, shard).withWork(found));
          }
          return LimitReader.page(all, limit);
        });
  }

  @Override
  public Optional<LimitWait> waitOf(UUID task) {
    return store.read(
        (session, now) -> {
          Optional<LimitWait> found =
              session
                  .statement("limit_admin.wait_of")
                  .number("now", now)
                  .number("shard", Shards.of(task))
                  .id("id", task)
                  .number("max_counted", MAX_COUNTED)
                  .one(
                      row ->
                          new LimitWait(
                              SqliteLimitTables.LIMIT_ROWS.usage(row), row.getLong("ahead")));
          if (found.isEmpty()) {
            return found;
          }
          List<LimitUsage> limit = List.of(found.get().limit());
          return Optional.of(
              new LimitWait(
                  tables(session, now, Shards.of(task)).withWork(limit).getFirst(),
                  found.get().ahead()));
        });
  }

  /** Only for reading. */
  private static SqliteLimitTables tables(SqliteSession session, long now, int shard) {
    return new SqliteLimitTables(session, now, shard, List.of(), false, (any, ids) -> List.of());
  }

  @Override
  public List<KindLimit> ofKinds() {
    return store.read((session, now) -> new SqliteKindLimits(session, now, 0).list());
  }

  @Override
  public void setKind(String kind, List<Limit> limits, KindLimit.Source source) {
    store.write(
        (session, now) -> {
          for (int shard = 0; shard < store.shards(); shard++) {
            new SqliteKindLimits(session, now, shard).set(kind, limits, source);
          }
          return true;
        });
  }

  @Override
  public Optional<UUID> findUncounted(UUID batch, String kind) {
    return store.read(
        (session, now) ->
            session
                .statement("limit_admin.uncounted")
                .number("shard", Shards.of(batch))
                .id("batch", batch)
                .text("kind", kind)
                .one(row -> SqliteColumnReader.INSTANCE.uuid(row, "id")));
  }

  @Override
  public RulesChanged changeRules(RulesChange change) {
    return store.write((session, now) -> new SqliteRulesWriter(session, now, change).run());
  }
}

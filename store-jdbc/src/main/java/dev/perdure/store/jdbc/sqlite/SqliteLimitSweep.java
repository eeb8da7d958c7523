// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.LimitCheck;
import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.MaintenanceStore.LimitSweep;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.LimitRowMapper.LockedLimit;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks limits of one shard in the writer's transaction. */
final class SqliteLimitSweep {

  private final SqliteSession session;
  private final long now;
  private final int shard;

  SqliteLimitSweep(SqliteSession session, long now, int shard) {
    this.session = session;
    this.now = now;
    this.shard = shard;
  }

  LimitSweep run(String after, int limit) throws SQLException {
    if (after.isEmpty()) {
      statement("limit_event.delete_old")
          .number("now", now)
          .number("age_ms", MaintenanceStore.LIMIT_RETENTION.toMillis())
          .number("limit", MaintenanceStore.MAX_OLD_EVENTS)
          .update();
    }
    List<LockedLimit> found =
        statement("limit_admin.lock_to_check")
            .text("after", after)
            .number("limit", limit)
            .list(SqliteLimitTables.LIMIT_ROWS::locked);
    Map<String, Long> held = found.isEmpty() ? Map.of() : held();
    int corrected = 0;
    int deleted = 0;
    for (LockedLimit one : found) {
      String key = one.limit().key();
      LimitCheck check =
          statement("limit_admin.check")
              .number("now", now)
              .text("key", key)
              .one(row -> one.check(row, held.getOrDefault(key, 0L)))
              .orElseThrow();
      if (check.isWrong()) {
        statement("limit_admin.correct")
            .number("now", now)
            .text("key", key)
            .number("used", check.used())
            .update();
        corrected++;
      } else if (check.isUnused(Instant.ofEpochMilli(now))) {
        deleted += statement("limit_admin.delete").text("key", key).update();
      }
    }
    boolean more = found.size() == limit;
    return new LimitSweep(more ? found.getLast().limit().key() : null, corrected, deleted);
  }

  private Map<String, Long> held() throws SQLException {
    Map<String, Long> held = new HashMap<>();
    List<List<String>> limits =
        statement("limit.work").list(row -> TaskLimit.keys(row.getString("limits")));
    limits.forEach(keys -> keys.forEach(key -> held.merge(key, 1L, Long::sum)));
    return held;
  }

  private CachedStatement statement(String name) throws SQLException {
    return session.statement(name).number("shard", shard);
  }
}

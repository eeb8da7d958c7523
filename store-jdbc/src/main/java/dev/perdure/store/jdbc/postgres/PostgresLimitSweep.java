// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.LimitCheck;
import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.MaintenanceStore.LimitSweep;
import dev.perdure.store.jdbc.sql.LimitRowMapper;
import dev.perdure.store.jdbc.sql.LimitRowMapper.LockedLimit;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Checks limits of one shard on a connection with an open transaction. */
final class PostgresLimitSweep {

  private final PostgresExecutor executor;
  private final Connection connection;
  private final int shard;
  private final LimitRowMapper rows = new LimitRowMapper(new PostgresColumnReader());

  PostgresLimitSweep(PostgresExecutor executor, Connection connection, int shard) {
    this.executor = executor;
    this.connection = connection;
    this.shard = shard;
  }

  LimitSweep run(String after, int limit) throws SQLException {
    if (after.isEmpty()) {
      deleteOldEvents();
      updateRunning();
    }
    List<LockedLimit> locked = lock(after, limit);
    if (locked.isEmpty()) {
      return new LimitSweep(null, 0, 0);
    }
    Instant now = executor.now(connection);
    List<String> unused = new ArrayList<>();
    int corrected = 0;
    for (LimitCheck check : check(locked, now)) {
      if (check.isWrong()) {
        correct(check);
        corrected++;
      } else if (check.isUnused(now)) {
        unused.add(check.limit().key());
      }
    }
    delete(unused);
    boolean more = locked.size() == limit;
    return new LimitSweep(more ? locked.getLast().limit().key() : null, corrected, unused.size());
  }

  /** A claim may have started tasks while the limits of their kind were set. */
  private void updateRunning() throws SQLException {
    PostgresKindLimits kinds = new PostgresKindLimits(executor, connection, shard);
    Set<String> limited = kinds.read().kinds();
    if (!limited.isEmpty()) {
      kinds.updateLeased(limited);
    }
  }

  private void deleteOldEvents() throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "limit_event.delete_old")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement
          .integer("shard", shard)
          .number("age_ms", MaintenanceStore.LIMIT_RETENTION.toMillis())
          .integer("limit", MaintenanceStore.MAX_OLD_EVENTS)
          .update();
    }
  }

  private List<LockedLimit> lock(String after, int limit) throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "limit_admin.lock_to_check")) {
      return statement
          .integer("shard", shard)
          .text("after", after)
          .integer("limit", limit)
          .list(rows::locked);
    }
  }

  private List<LimitCheck> check(List<LockedLimit> locked, Instant now) throws SQLException {
    Map<String, LockedLimit> byKey =
        locked.stream().collect(Collectors.toMap(one -> one.limit().key(), Function.identity()));
    List<LimitCheck> checks = new ArrayList<>();
    try (NamedParameterStatement statement = executor.statement(connection, "limit_admin.check")) {
      statement.integer("shard", shard);
      PostgresParameters.instant(statement, "now", now);
      PostgresParameters.array(statement, "keys", "text", List.copyOf(byKey.keySet()), key -> key);
      ResultSet row = statement.query();
      while (row.next()) {
        LockedLimit one = Objects.requireNonNull(byKey.get(row.getString("key")));
        checks.add(one.check(row, row.getLong("held")));
      }
    }
    return checks;
  }

  private void correct(LimitCheck check) throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "limit_admin.correct")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement
          .integer("shard", shard)
          .text("key", check.limit().key())
          .number("used", check.used())
          .update();
    }
  }

  private void delete(List<String> keys) throws SQLException {
    if (!keys.isEmpty()) {
      try (NamedParameterStatement statement =
          executor.statement(connection, "limit_admin.delete")) {
        PostgresParameters.array(
            statement.integer("shard", shard), "keys", "text", keys, key -> key);
        statement.update();
      }
    }
  }
}

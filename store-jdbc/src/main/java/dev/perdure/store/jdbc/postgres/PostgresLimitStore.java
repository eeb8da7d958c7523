// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.LimitRowMapper;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads limits, and changes those of tasks. */
final class PostgresLimitStore implements LimitStore {

  private final PostgresExecutor executor;
  private final LimitRowMapper rowMapper = new LimitRowMapper(new PostgresColumnReader());

  PostgresLimitStore(PostgresExecutor executor) {
    this.executor = executor;
  }

  @Override
  public List<LimitUsage> list(String after, int limit) {
    List<LimitUsage> all = new ArrayList<>();
    for (int i = 0; i < executor.settings().shards(); i++) {
      int shard = i;
      all.addAll(
          executor.runIdempotent(
              "list limits",
              (connection, mayHaveCommitted) -> {
                try (NamedParameterStatement statement =
                    executor.statement(connection, "limit_admin.list")) {
                  List<LimitUsage> found =
                      statement
                          .integer("shard", shard)
                          .text("after", after)
                          .integer("limit", limit)
                          .integer("max_counted", MAX_COUNTED)
                          .list(rowMapper::usage);
                  return tables(connection, shard).withWork(found);
                }
              }));
    }
    return LimitReader.page(all, limit);
  }

  @Override
  public Optional<LimitWait> waitOf(UUID task) {
    return executor.runIdempotent(
        "find the limit of a task",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement =
              executor.statement(connection, "limit_admin.wait_of")) {
            PostgresParameters.instant(statement, "now", executor.settings().now());
            PostgresParameters.uuid(statement.integer("shard", Shards.of(task)), "id", task);
            ResultSet row = statement.integer("max_counted", MAX_COUNTED).query();
            if (!row.next()) {
              return Optional.empty();
            }
            List<LimitUsage> found = List.of(rowMapper.usage(row));
            LimitUsage limit = tables(connection, Shards.of(task)).withWork(found).getFirst();
            return Optional.of(new LimitWait(limit, row.getLong("ahead")));
          }
        });
  }

  @Override
  public List<KindLimit> ofKinds() {
    return executor.runIdempotent(
        "list limits of kinds",
        (connection, mayHaveCommitted) -> new PostgresKindLimits(executor, connection, 0).list());
  }

  @Override
  public void setKind(String kind, List<Limit> limits, KindLimit.Source source) {
    // The shard that ofKinds reads comes last: if another one fails, the change is not seen as
    // done.
    for (int i = executor.settings().shards() - 1; i >= 0; i--) {
      int shard = i;
      executor.runIdempotent(
          "set limits",
          (connection, mayHaveCommitted) -> {
            new PostgresKindLimits(executor, connection, shard).set(kind, limits, source);
            return true;
          });
    }
  }

  @Override
  public Optional<UUID> findUncounted(UUID batch, String kind) {
    return executor.runIdempotent(
        "find a task without an expected count",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement =
              executor.statement(connection, "limit_admin.uncounted")) {
            PostgresParameters.uuid(statement.text("kind", kind), "batch", batch);
            return statement
                .integer("shard", Shards.of(batch))
                .list(row -> new PostgresColumnReader().uuid(row, "id"))
                .stream()
                .findFirst();
          }
        });
  }

  @Override
  public RulesChanged changeRules(RulesChange change) {
    return new PostgresRulesWriter(executor, change).run();
  }

  /** Only for reading. */
  private PostgresLimitTables tables(Connection connection, int shard) {
    return new PostgresLimitTables(executor, connection, shard, List.of(), statement -> {});
  }
}

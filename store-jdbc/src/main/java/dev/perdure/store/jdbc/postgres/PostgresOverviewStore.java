// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.query.Census;
import dev.perdure.engine.query.DeadLetters;
import dev.perdure.engine.query.NodeDetails;
import dev.perdure.engine.query.NodeLoad;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.ScheduleDelay;
import dev.perdure.engine.spi.OverviewStore;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.NodeRowMapper;
import dev.perdure.store.jdbc.sql.ScheduleRowMapper;
import dev.perdure.store.jdbc.sql.StatisticsBuilder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** What an overview shows, read from indexes. */
record PostgresOverviewStore(PostgresExecutor executor) implements OverviewStore {

  private static final PostgresColumnReader COLUMNS = new PostgresColumnReader();
  private static final NodeRowMapper NODES = new NodeRowMapper(COLUMNS);
  private static final ScheduleRowMapper SCHEDULES = new ScheduleRowMapper(COLUMNS);

  /** Prepares a statement that has the time as a parameter. */
  private NamedParameterStatement timed(Connection connection, String name) throws SQLException {
    NamedParameterStatement statement = executor.statement(connection, name);
    PostgresParameters.instant(statement, "now", executor.settings().now());
    return statement;
  }

  @Override
  public void reportLoad(UUID node, NodeLoad load) {
    executor.runIdempotent(
        "report load",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = timed(connection, "node.report_load")) {
            return statement
                .text("id", node.toString())
                .text("version", PostgresParameters.withoutNul(load.version()))
                .integer("slots", load.slots())
                .integer("busy", load.busy())
                .text(
                    "remote_kinds",
                    PostgresParameters.withoutNul(NodeRowMapper.join(load.remoteKinds())))
                .update();
          }
        });
  }

  @Override
  public List<NodeDetails> nodes() {
    return executor.runIdempotent(
        "list nodes",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement =
              executor.statement(connection, "node.list_recent")) {
            return NodeDetails.inOrder(statement.integer("limit", MAX_NODES).list(NODES::node));
          }
        });
  }

  @Override
  public Census census() {
    return executor.runIdempotent("census", (connection, mayHaveCommitted) -> census(connection));
  }

  private Census census(Connection connection) throws SQLException {
    StatisticsBuilder builder = new StatisticsBuilder();
    Instant now = executor.now(connection);
    for (int shard = 0; shard < executor.settings().shards(); shard++) {
      try (NamedParameterStatement statement = timed(connection, "task_state.backlog")) {
        builder.addLive(
            statement.integer("shard", shard).integer("limit", Census.MAX_COUNTED).query());
      }
      addRetries(connection, shard, builder);
      addNextRetry(connection, shard, now, builder);
    }
    return builder.census(now);
  }

  private void addRetries(Connection connection, int shard, StatisticsBuilder builder)
      throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "retry_wave.count_by_kind")) {
      PostgresParameters.array(
          statement, "after", "timestamptz", List.of("-infinity"), text -> text);
      PostgresParameters.array(
          statement, "up_to", "timestamptz", List.of("infinity"), text -> text);
      ResultSet rows =
          statement
              .integer("shard", shard)
              .text("kind", null)
              .integer("limit", RetryWaveQuery.MAX_COUNTED)
              .query();
      while (rows.next()) {
        builder.addRetries(rows.getString("kind"), rows.getLong("retries"));
      }
    }
  }

  private void addNextRetry(
      Connection connection, int shard, Instant now, StatisticsBuilder builder)
      throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "retry_wave.next")) {
      PostgresParameters.instant(statement, "now", now);
      ResultSet rows = statement.integer("shard", shard).query();
      if (rows.next()) {
        builder.addNextRetry(Objects.requireNonNull(COLUMNS.instant(rows, "due_at")));
      }
    }
  }

  @Override
  public DeadLetters deadLetters() {
    return executor.runIdempotent(
        "count dead letters",
        (connection, mayHaveCommitted) -> {
          Instant now = executor.now(connection);
          long tasks = 0;
          long recentTasks = 0;
          long deliveries = 0;
          for (int shard = 0; shard < executor.settings().shards(); shard++) {
            tasks += failed(connection, shard, Instant.EPOCH);
            recentTasks += failed(connection, shard, now.minus(RECENT));
            deliveries += deadDeliveries(connection, shard);
          }
          return new DeadLetters(tasks, recentTasks, deliveries);
        });
  }

  private long failed(Connection connection, int shard, Instant after) throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "task_state.count_failed")) {
      PostgresParameters.instant(statement, "after", after);
      statement.integer("shard", shard).integer("limit", DeadLetters.MAX_COUNTED);
      return statement.list(row -> row.getLong("tasks")).getFirst();
    }
  }

  private long deadDeliveries(Connection connection, int shard) throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "delivery.count_dead")) {
      statement.integer("shard", shard).integer("limit", DeadLetters.MAX_COUNTED);
      return statement.list(row -> row.getLong("deliveries")).getFirst();
    }
  }

  @Override
  public List<ScheduleDelay> scheduleDelays(int limit) {
    return executor.runIdempotent(
        "list delayed firings",
        (connection, mayHaveCommitted) -> {
          List<ScheduleDelay> delays = new ArrayList<>();
          for (int shard = 0; shard < executor.settings().shards(); shard++) {
            delays.addAll(overdue(connection, shard, limit));
            delays.addAll(delayed(connection, shard, limit));
          }
          delays.sort(ScheduleDelay.ORDER);
          return delays.stream().limit(limit).toList();
        });
  }

  private List<ScheduleDelay> overdue(Connection connection, int shard, int limit)
      throws SQLException {
    try (NamedParameterStatement statement = timed(connection, "schedule.list_overdue")) {
      return statement
          .integer("shard", shard)
          .number("looked_at_ms", ScheduleDelay.LOOKED_AT_WITHIN.toMillis())
          .number("late_ms", ScheduleDelay.LATE_AFTER.toMillis())
          .integer("limit", limit)
          .list(SCHEDULES::overdue);
    }
  }

  private List<ScheduleDelay> delayed(Connection connection, int shard, int limit)
      throws SQLException {
    try (NamedParameterStatement statement = timed(connection, "firing.list_delayed")) {
      return statement
          .integer("shard", shard)
          .number("recent_ms", RECENT.toMillis())
          .number("late_ms", ScheduleDelay.LATE_AFTER.toMillis())
          .integer("scanned", MAX_FIRINGS)
          .integer("limit", limit)
          .list(SCHEDULES::delay);
    }
  }
}

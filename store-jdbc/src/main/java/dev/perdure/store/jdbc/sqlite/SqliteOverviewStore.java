// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.query.Census;
import dev.perdure.engine.query.DeadLetters;
import dev.perdure.engine.query.NodeDetails;
import dev.perdure.engine.query.NodeLoad;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.ScheduleDelay;
import dev.perdure.engine.spi.OverviewStore;
import dev.perdure.store.jdbc.sql.NodeRowMapper;
import dev.perdure.store.jdbc.sql.ScheduleRowMapper;
import dev.perdure.store.jdbc.sql.StatisticsBuilder;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What an overview shows, read from indexes. */
record SqliteOverviewStore(SqliteStore store) implements OverviewStore {

  private static final NodeRowMapper NODES = new NodeRowMapper(SqliteColumnReader.INSTANCE);
  private static final ScheduleRowMapper SCHEDULES =
      new ScheduleRowMapper(SqliteColumnReader.INSTANCE);

  @Override
  public void reportLoad(UUID node, NodeLoad load) {
    store.write(
        (session, now) ->
            session
                .statement("node.report_load")
                .text("id", node.toString())
                .text("version", load.version())
                .number("slots", load.slots())
                .number("busy", load.busy())
                .text("remote_kinds", NodeRowMapper.join(load.remoteKinds()))
                .number("now", now)
                .update());
  }

  @Override
  public List<NodeDetails> nodes() {
    return store.read(
        (session, now) ->
            NodeDetails.inOrder(
                session
                    .statement("node.list_recent")
                    .number("limit", MAX_NODES)
                    .list(NODES::node)));
  }

  @Override
  public Census census() {
    return store.read(
        (session, now) -> {
          StatisticsBuilder builder = new StatisticsBuilder();
          CachedStatement live =
              session
                  .statement("task_state.backlog")
                  .number("now", now)
                  .number("limit", Census.MAX_COUNTED);
          for (int shard = 0; shard < store.shards(); shard++) {
            live.number("shard", shard).query(builder::addLive);
            addRetries(session, shard, now, builder);
          }
          return builder.census(Instant.ofEpochMilli(now));
        });
  }

  private static void addRetries(
      SqliteSession session, int shard, long now, StatisticsBuilder builder) throws SQLException {
    session
        .statement("retry_wave.count_by_kind")
        .number("shard", shard)
        .text("kind", null)
        .number("after", Long.MIN_VALUE)
        .number("up_to", Long.MAX_VALUE)
        .number("limit", RetryWaveQuery.MAX_COUNTED)
        .query(
            rows -> {
              while (rows.next()) {
                builder.addRetries(rows.getString("kind"), rows.getLong("retries"));
              }
            });
    session
        .statement("retry_wave.next")
        .number("shard", shard)
        .number("now", now)
        .one(row -> Instant.ofEpochMilli(row.getLong("due_at")))
        .ifPresent(builder::addNextRetry);
  }

  @Override
  public DeadLetters deadLetters() {
    return store.read(
        (session, now) -> {
          long tasks = 0;
          long recentTasks = 0;
          long deliveries = 0;
          for (int shard = 0; shard < store.shards(); shard++) {
            tasks += failed(session, shard, Long.MIN_VALUE);
            recentTasks += failed(session, shard, now - RECENT.toMillis());
            deliveries +=
                session
                    .statement("delivery.count_dead")
                    .number("shard", shard)
                    .number("limit", DeadLetters.MAX_COUNTED)
                    .one(row -> row.getLong("deliveries"))
                    .orElse(0L);
          }
          return new DeadLetters(tasks, recentTasks, deliveries);
        });
  }

  private static long failed(SqliteSession session, int shard, long after) throws SQLException {
    return session
        .statement("task_state.count_failed")
        .number("shard", shard)
        .number("after", after)
        .number("limit", DeadLetters.MAX_COUNTED)
        .one(row -> row.getLong("tasks"))
        .orElse(0L);
  }

  @Override
  public List<ScheduleDelay> scheduleDelays(int limit) {
    return store.read(
        (session, now) -> {
          List<ScheduleDelay> delays = new ArrayList<>();
          for (int shard = 0; shard < store.shards(); shard++) {
            delays.addAll(overdue(session, now, shard, limit));
            delays.addAll(delayed(session, now, shard, limit));
          }
          delays.sort(ScheduleDelay.ORDER);
          return delays.stream().limit(limit).toList();
        });
  }

  private static List<ScheduleDelay> overdue(SqliteSession session, long now, int shard, int limit)
      throws SQLException {
    return session
        .statement("schedule.list_overdue")
        .number("shard", shard)
        .number("now", now)
        .number("looked_at_ms", ScheduleDelay.LOOKED_AT_WITHIN.toMillis())
        .number("late_ms", ScheduleDelay.LATE_AFTER.toMillis())
        .number("limit", limit)
        .list(SCHEDULES::overdue);
  }

  private static List<ScheduleDelay> delayed(SqliteSession session, long now, int shard, int limit)
      throws SQLException {
    return session
        .statement("firing.list_delayed")
        .number("shard", shard)
        .number("now", now)
        .number("recent_ms", RECENT.toMillis())
        .number("late_ms", ScheduleDelay.LATE_AFTER.toMillis())
        .number("scanned", MAX_FIRINGS)
        .number("limit", limit)
        .list(SCHEDULES::delay);
  }
}

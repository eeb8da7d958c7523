// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.DeliveryPage;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.spi.ClaimedDeliveries;
import dev.perdure.engine.spi.DeliveryUpdate;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.Delivery.DeliveryFailure;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.DeliveryRowMapper;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The deliveries of the file. */
final class SqliteOutbox implements Outbox {

  private static final DeliveryRowMapper ROW_MAPPER =
      new DeliveryRowMapper(SqliteColumnReader.INSTANCE);
  private static final Comparator<Delivery> EARLIEST_DUE_FIRST =
      Comparator.<Delivery, Instant>comparing(one -> one.times().dueAt())
          .thenComparing(Delivery::id, SqliteValues.ID_ORDER);

  private final SqliteStore store;

  SqliteOutbox(SqliteStore store) {
    this.store = store;
  }

  /** A reader looks first: while nothing is due the writer has nothing to do. */
  @Override
  public ClaimedDeliveries claim(int limit, Duration lease) {
    ClaimedDeliveries seen =
        store.read(
            (sqliteSession, now) ->
                new ClaimedDeliveries(due(sqliteSession, now, 1), Instant.ofEpochMilli(now)));
    return seen.deliveries().isEmpty()
        ? seen
        : store.write((sqliteSession, now) -> take(sqliteSession, now, limit, lease));
  }

  /** The longest due of all shards. */
  private List<Delivery> due(SqliteSession sqliteSession, long now, int limit) throws SQLException {
    List<Delivery> due = new ArrayList<>();
    CachedStatement statement =
        sqliteSession.statement("delivery.due").number("now", now).number("limit", limit);
    for (int shard = 0; shard < store.shards(); shard++) {
      due.addAll(statement.number("shard", shard).list(ROW_MAPPER::delivery));
    }
    due.sort(EARLIEST_DUE_FIRST);
    return due.subList(0, Math.min(limit, due.size()));
  }

  private ClaimedDeliveries take(SqliteSession sqliteSession, long now, int limit, Duration lease)
      throws SQLException {
    Map<Integer, List<UUID>> byShard = new TreeMap<>();
    List<Delivery> due = due(sqliteSession, now, limit);
    due.forEach(
        one ->
            byShard.computeIfAbsent(Shards.of(one.id()), shard -> new ArrayList<>()).add(one.id()));
    long leaseMs = SqlTimes.toMillis(lease);
    CachedStatement take =
        sqliteSession.statement("delivery.claim").number("now", now).number("lease_ms", leaseMs);
    for (Map.Entry<Integer, List<UUID>> of : byShard.entrySet()) {
      take.number("shard", of.getKey()).text("ids", SqliteValues.hexJson(of.getValue())).update();
    }
    Instant taken = Instant.ofEpochMilli(now);
    Instant until = taken.plusMillis(leaseMs);
    return new ClaimedDeliveries(
        due.stream().map(one -> leased(one, taken, until)).toList(), taken);
  }

  /** As it stands after the statement: within the transaction nobody else can have changed it. */
  private static Delivery leased(Delivery before, Instant now, Instant until) {
    Delivery.DeliveryTimes deliveryTimes = before.times();
    return new Delivery(
        before.id(),
        before.task(),
        before.batch(),
        before.message(),
        DeliveryState.PENDING,
        before.epoch() + 1,
        before.attempt(),
        new Delivery.DeliveryTimes(
            deliveryTimes.createdAt(), deliveryTimes.retrySince(), until, until, now, null),
        before.lastFailure());
  }

  @Override
  public void extendLeases(List<Delivery> taken, Duration lease) {
    store.write((sqliteSession, now) -> extend(sqliteSession, now, taken, lease));
  }

  private static int extend(
      SqliteSession sqliteSession, long now, List<Delivery> taken, Duration lease)
      throws SQLException {
    CachedStatement extend =
        sqliteSession
            .statement("delivery.extend")
            .number("now", now)
            .number("lease_ms", SqlTimes.toMillis(lease));
    int extended = 0;
    for (Delivery one : taken) {
      extended +=
          extend
              .number("shard", Shards.of(one.id()))
              .id("id", one.id())
              .number("epoch", one.epoch())
              .update();
    }
    return extended;
  }

  @Override
  public List<Boolean> settle(List<DeliveryUpdate> updates) {
    return updates.isEmpty()
        ? List.of()
        : store.write((sqliteSession, now) -> settle(sqliteSession, now, updates));
  }

  private static List<Boolean> settle(
      SqliteSession sqliteSession, long now, List<DeliveryUpdate> updates) throws SQLException {
    List<Boolean> written = new ArrayList<>(updates.size());
    CachedStatement settle = sqliteSession.statement("delivery.settle").number("now", now);
    for (DeliveryUpdate update : updates) {
      DeliveryFailure failure = update.failure();
      int rows =
          settle
              .number("shard", Shards.of(update.delivery()))
              .id("id", update.delivery())
              .number("epoch", update.epoch())
              .text("to_state", update.state().text())
              .number("attempt_increment", update.attemptIncrement())
              .number("delay_ms", SqliteValues.millis(update.delay()))
              .text("failure_kind", failure == null ? null : failure.kind())
              .number("failure_status", failure == null ? null : Long.valueOf(failure.status()))
              .text("failure_message", failure == null ? null : failure.message())
              .update();
      written.add(rows == 1);
    }
    return written;
  }

  @Override
  public boolean enqueue(UUID task, NewDelivery delivery) {
    return store.write(
        (sqliteSession, now) ->
            new SqliteChangeWriter(sqliteSession, now).insertDelivery(delivery, task) == 1);
  }

  @Override
  public Optional<Delivery> find(UUID id) {
    return store.read(
        (sqliteSession, now) ->
            sqliteSession
                .statement("delivery.find")
                .number("shard", Shards.of(id))
                .id("id", id)
                .one(ROW_MAPPER::delivery));
  }

  @Override
  public DeliveryPage list(DeliveryFilter filter, PageRequest page) {
    String after = page.cursor();
    byte[] last = after == null ? SqliteValues.afterAllIds() : SqliteTaskReader.cursorId(after);
    List<Delivery> found =
        store.read((sqliteSession, now) -> list(sqliteSession, filter, last, page.size() + 1));
    return DeliveryRowMapper.page(found, page.size(), SqliteValues.ID_ORDER);
  }

  private List<Delivery> list(
      SqliteSession sqliteSession, DeliveryFilter filter, byte[] after, int limit)
      throws SQLException {
    List<Delivery> found = new ArrayList<>();
    CachedStatement list =
        sqliteSession
            .statement(DeliveryRowMapper.listStatement(filter))
            .bytes("after_id", after)
            .text("trigger", filter.trigger())
            .number("limit", limit);
    UUID task = filter.task();
    if (task != null) {
      DeliveryState state = filter.state();
      list.id("task", task).text("state", state == null ? null : state.text());
    }
    for (int shard : shards(task)) {
      found.addAll(list.number("shard", shard).list(ROW_MAPPER::delivery));
    }
    return found;
  }

  private int[] shards(@Nullable UUID task) {
    return task == null
        ? IntStream.range(0, store.shards()).toArray()
        : new int[] {Shards.of(task)};
  }

  @Override
  public boolean redeliver(UUID id) {
    return store.write(
        (sqliteSession, now) -> {
          boolean again = redeliver(sqliteSession, now, id);
          if (again) {
            touchBatch(sqliteSession, now, id);
          }
          return again;
        });
  }

  private static boolean redeliver(SqliteSession sqliteSession, long now, UUID id)
      throws SQLException {
    return sqliteSession
            .statement("delivery.redeliver")
            .number("now", now)
            .number("shard", Shards.of(id))
            .id("id", id)
            .update()
        == 1;
  }

  /** Whoever looks for old batches sees that this one lives. */
  private static void touchBatch(SqliteSession sqliteSession, long now, UUID id)
      throws SQLException {
    sqliteSession
        .statement("batch.touch")
        .number("now", now)
        .number("shard", Shards.of(id))
        .id("delivery", id)
        .update();
  }
}

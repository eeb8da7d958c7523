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
import dev.perdure.engine.task.IdOrder;
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

/** The outbox in {@code perdure_delivery}. */
final class SqliteOutbox implements Outbox {

  private static final DeliveryRowMapper ROW_MAPPER =
      new DeliveryRowMapper(SqliteColumnReader.INSTANCE);
  private static final Comparator<Delivery> EARLIEST_DUE_FIRST =
      Comparator.<Delivery, Instant>comparing(delivery -> delivery.times().dueAt())
          .thenComparing(Delivery::id, IdOrder.BYTEWISE);

  private final SqliteStore store;

  SqliteOutbox(SqliteStore store) {
    this.store = store;
  }

  /** Checks on a read connection first, so that the writer is not used while nothing is due. */
  @Override
  public ClaimedDeliveries claim(int limit, Duration lease) {
    ClaimedDeliveries due =
        store.read(
            (session, now) ->
                new ClaimedDeliveries(due(session, now, 1), Instant.ofEpochMilli(now)));
    return due.deliveries().isEmpty()
        ? due
        : store.write((session, now) -> claimDue(session, now, limit, lease));
  }

  /** Returns the due deliveries of all shards, earliest first. */
  private List<Delivery> due(SqliteSession session, long now, int limit) throws SQLException {
    List<Delivery> due = new ArrayList<>();
    CachedStatement statement =
        session.statement("delivery.due").number("now", now).number("limit", limit);
    for (int shard = 0; shard < store.shards(); shard++) {
      due.addAll(statement.number("shard", shard).list(ROW_MAPPER::delivery));
    }
    due.sort(EARLIEST_DUE_FIRST);
    return due.subList(0, Math.min(limit, due.size()));
  }

  private ClaimedDeliveries claimDue(SqliteSession session, long now, int limit, Duration lease)
      throws SQLException {
    Map<Integer, List<UUID>> byShard = new TreeMap<>();
    List<Delivery> due = due(session, now, limit);
    due.forEach(
        delivery ->
            byShard
                .computeIfAbsent(Shards.of(delivery.id()), shard -> new ArrayList<>())
                .add(delivery.id()));
    long leaseMs = SqlTimes.toMillis(lease);
    CachedStatement claimDue =
        session.statement("delivery.claim").number("now", now).number("lease_ms", leaseMs);
    for (Map.Entry<Integer, List<UUID>> entry : byShard.entrySet()) {
      claimDue
          .number("shard", entry.getKey())
          .text("ids", SqliteValues.hexJson(entry.getValue()))
          .update();
    }
    Instant claimed = Instant.ofEpochMilli(now);
    Instant until = claimed.plusMillis(leaseMs);
    return new ClaimedDeliveries(
        due.stream().map(delivery -> leased(delivery, claimed, until)).toList(), claimed);
  }

  /**
   * Returns the delivery as the statement left it. Nothing else can change it within the
   * transaction.
   */
  private static Delivery leased(Delivery before, Instant now, Instant until) {
    Delivery.DeliveryTimes times = before.times();
    return new Delivery(
        before.id(),
        before.task(),
        before.batch(),
        before.message(),
        DeliveryState.PENDING,
        before.epoch() + 1,
        before.attempt(),
        new Delivery.DeliveryTimes(times.createdAt(), times.retrySince(), until, until, now, null),
        before.lastFailure());
  }

  @Override
  public void extendLeases(List<Delivery> claimed, Duration lease) {
    store.write((session, now) -> extend(session, now, claimed, lease));
  }

  private static int extend(SqliteSession session, long now, List<Delivery> claimed, Duration lease)
      throws SQLException {
    CachedStatement extend =
        session
            .statement("delivery.extend")
            .number("now", now)
            .number("lease_ms", SqlTimes.toMillis(lease));
    int extended = 0;
    for (Delivery delivery : claimed) {
      extended +=
          extend
              .number("shard", Shards.of(delivery.id()))
              .id("id", delivery.id())
              .number("epoch", delivery.epoch())
              .update();
    }
    return extended;
  }

  @Override
  public List<Boolean> settle(List<DeliveryUpdate> updates) {
    return updates.isEmpty()
        ? List.of()
        : store.write((session, now) -> settle(session, now, updates));
  }

  private static List<Boolean> settle(SqliteSession session, long now, List<DeliveryUpdate> updates)
      throws SQLException {
    List<Boolean> written = new ArrayList<>(updates.size());
    CachedStatement settle = session.statement("delivery.settle").number("now", now);
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
        (session, now) -> new SqliteChangeWriter(session, now).insertDelivery(delivery, task) == 1);
  }

  @Override
  public Optional<Delivery> find(UUID id) {
    return store.read(
        (session, now) ->
            session
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
        store.read((session, now) -> list(session, filter, last, page.size() + 1));
    return DeliveryRowMapper.page(found, page.size(), IdOrder.BYTEWISE);
  }

  private List<Delivery> list(SqliteSession session, DeliveryFilter filter, byte[] after, int limit)
      throws SQLException {
    List<Delivery> found = new ArrayList<>();
    CachedStatement list =
        session
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
  public boolean redeliver(UUID id, @Nullable DeliveryState from, Duration delay) {
    return store.write(
        (session, now) -> {
          boolean redelivered = redeliver(session, now, id, from, delay);
          if (redelivered) {
            touchBatch(session, now, id);
          }
          return redelivered;
        });
  }

  private static boolean redeliver(
      SqliteSession session, long now, UUID id, @Nullable DeliveryState from, Duration delay)
      throws SQLException {
    return session
            .statement("delivery.redeliver")
            .number("now", now)
            .number("delay_ms", SqlTimes.toMillis(delay))
            .text("from", from == null ? null : from.text())
            .number("shard", Shards.of(id))
            .id("id", id)
            .update()
        == 1;
  }

  /** Marks the batch as active now, which retention checks. */
  private static void touchBatch(SqliteSession session, long now, UUID id) throws SQLException {
    session
        .statement("batch.touch")
        .number("now", now)
        .number("shard", Shards.of(id))
        .id("delivery", id)
        .update();
  }
}

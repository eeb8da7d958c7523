// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.store.DeliveryFilter;
import dev.perdure.engine.store.DeliveryPage;
import dev.perdure.engine.store.Outbox;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.Sending;
import dev.perdure.engine.store.Taken;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.DeliveryRows;
import dev.perdure.store.jdbc.sql.Lengths;
import dev.perdure.store.jdbc.sql.Settled;
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

  private static final DeliveryRows ROWS = new DeliveryRows(SqliteColumns.INSTANCE);
  private static final Comparator<Delivery> LONGEST_DUE_FIRST =
      Comparator.<Delivery, Instant>comparing(one -> one.times().dueAt())
          .thenComparing(Delivery::id, Values.ID_ORDER);

  private final SqliteStore store;

  SqliteOutbox(SqliteStore store) {
    this.store = store;
  }

  /** A reader looks first: while nothing is due the writer has nothing to do. */
  @Override
  public Taken claim(int limit, Duration lease) {
    Taken seen =
        store.read((session, now) -> new Taken(due(session, now, 1), Instant.ofEpochMilli(now)));
    return seen.deliveries().isEmpty()
        ? seen
        : store.write((session, now) -> take(session, now, limit, lease));
  }

  /** The longest due of all shards. */
  private List<Delivery> due(Session session, long now, int limit) throws SQLException {
    List<Delivery> due = new ArrayList<>();
    Prepared statement = session.sql("delivery.due").number("now", now).number("limit", limit);
    for (int shard = 0; shard < store.shards(); shard++) {
      due.addAll(statement.number("shard", shard).rows(ROWS::delivery));
    }
    due.sort(LONGEST_DUE_FIRST);
    return due.subList(0, Math.min(limit, due.size()));
  }

  private Taken take(Session session, long now, int limit, Duration lease) throws SQLException {
    Map<Integer, List<UUID>> byShard = new TreeMap<>();
    List<Delivery> due = due(session, now, limit);
    due.forEach(
        one ->
            byShard.computeIfAbsent(Shards.of(one.id()), shard -> new ArrayList<>()).add(one.id()));
    long leaseMs = Lengths.millis(lease);
    Prepared take = session.sql("delivery.take").number("now", now).number("lease_ms", leaseMs);
    for (Map.Entry<Integer, List<UUID>> of : byShard.entrySet()) {
      take.number("shard", of.getKey()).text("ids", Values.json(of.getValue())).update();
    }
    Instant taken = Instant.ofEpochMilli(now);
    Instant until = taken.plusMillis(leaseMs);
    return new Taken(due.stream().map(one -> leased(one, taken, until)).toList(), taken);
  }

  /** As it stands after the statement: within the transaction nobody else can have changed it. */
  private static Delivery leased(Delivery before, Instant now, Instant until) {
    Delivery.Times times = before.times();
    return new Delivery(
        before.id(),
        before.task(),
        before.batch(),
        before.announcement(),
        DeliveryState.PENDING,
        before.epoch() + 1,
        before.attempt(),
        new Delivery.Times(times.createdAt(), times.since(), until, until, now, null),
        before.miss());
  }

  @Override
  public void extend(List<Delivery> taken, Duration lease) {
    store.write((session, now) -> extend(session, now, taken, lease));
  }

  private static int extend(Session session, long now, List<Delivery> taken, Duration lease)
      throws SQLException {
    Prepared extend =
        session.sql("delivery.extend").number("now", now).number("lease_ms", Lengths.millis(lease));
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
  public List<Boolean> settle(List<Sending> sendings) {
    return sendings.isEmpty()
        ? List.of()
        : store.write((session, now) -> settle(session, now, sendings));
  }

  private static List<Boolean> settle(Session session, long now, List<Sending> sendings)
      throws SQLException {
    List<Boolean> written = new ArrayList<>(sendings.size());
    Prepared settle = session.sql("delivery.settle").number("now", now);
    for (Sending sending : sendings) {
      Settled settled = Settled.of(sending);
      Integer status = settled.missStatus();
      int rows =
          settle
              .number("shard", Shards.of(sending.delivery()))
              .id("id", sending.delivery())
              .number("epoch", sending.epoch())
              .text("next", settled.state().text())
              .number("step", settled.step())
              .number("delay_ms", Values.millis(settled.delay()))
              .text("miss_kind", settled.missKind())
              .number("miss_status", status == null ? null : Long.valueOf(status))
              .text("miss_message", settled.missMessage())
              .update();
      written.add(rows == 1);
    }
    return written;
  }

  @Override
  public boolean post(UUID task, NewDelivery delivery) {
    return store.write((session, now) -> new TaskWrites(session, now).insert(delivery, task) == 1);
  }

  @Override
  public Optional<Delivery> find(UUID id) {
    return store.read(
        (session, now) ->
            session
                .sql("delivery.find")
                .number("shard", Shards.of(id))
                .id("id", id)
                .row(ROWS::delivery));
  }

  @Override
  public DeliveryPage list(DeliveryFilter filter, PageRequest page) {
    String after = page.after();
    byte[] last = after == null ? Values.beyondIds() : SqliteReader.after(after);
    List<Delivery> found =
        store.read((session, now) -> list(session, filter, last, page.size() + 1));
    return DeliveryRows.page(found, page.size(), Values.ID_ORDER);
  }

  private List<Delivery> list(Session session, DeliveryFilter filter, byte[] after, int limit)
      throws SQLException {
    List<Delivery> found = new ArrayList<>();
    Prepared list =
        session
            .sql(DeliveryRows.listOf(filter))
            .bytes("after", after)
            .text("trigger", filter.trigger())
            .number("limit", limit);
    UUID task = filter.task();
    if (task != null) {
      DeliveryState state = filter.state();
      list.id("task", task).text("state", state == null ? null : state.text());
    }
    for (int shard : shards(task)) {
      found.addAll(list.number("shard", shard).rows(ROWS::delivery));
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
        (session, now) -> {
          boolean again = redeliver(session, now, id);
          if (again) {
            keep(session, now, id);
          }
          return again;
        });
  }

  private static boolean redeliver(Session session, long now, UUID id) throws SQLException {
    return session
            .sql("delivery.redeliver")
            .number("now", now)
            .number("shard", Shards.of(id))
            .id("id", id)
            .update()
        == 1;
  }

  /** Whoever looks for old batches sees that this one lives. */
  private static void keep(Session session, long now, UUID id) throws SQLException {
    session
        .sql("batch.keep")
        .number("now", now)
        .number("shard", Shards.of(id))
        .id("delivery", id)
        .update();
  }
}

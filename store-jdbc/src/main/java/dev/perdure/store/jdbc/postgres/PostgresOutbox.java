// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.DeliveryFilter;
import dev.perdure.engine.store.DeliveryPage;
import dev.perdure.engine.store.Outbox;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.Sending;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.Taken;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.Call;
import dev.perdure.store.jdbc.sql.DeliveryRows;
import dev.perdure.store.jdbc.sql.Lengths;
import dev.perdure.store.jdbc.sql.Settled;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The deliveries, shard by shard. */
final class PostgresOutbox implements Outbox {

  /** As the database orders them: byte by byte, without a sign. */
  private static final Comparator<UUID> ID_ORDER = Comparator.comparing(UUID::toString);

  private final Session session;
  private final DeliveryRows rows = new DeliveryRows(new PostgresColumns());
  private final IntSupplier firstShard;

  /**
   * @param firstShard where a claim begins to look; another each time, so that none comes last
   *     always
   */
  PostgresOutbox(Session session, IntSupplier firstShard) {
    this.session = session;
    this.firstShard = firstShard;
  }

  /** What a lost answer had taken is due again after its lease. */
  @Override
  public Taken claim(int limit, Duration lease) {
    int shards = session.settings().shards();
    int first = firstShard.getAsInt();
    List<Delivery> taken = new ArrayList<>();
    Instant now = session.repeatedly("deliver", (connection, unsure) -> session.now(connection));
    for (int i = 0; i < shards && taken.size() < limit; i++) {
      int shard = (first + i) % shards;
      int rest = limit - taken.size();
      try {
        taken.addAll(
            session.repeatedly(
                "deliver", (connection, unsure) -> take(connection, shard, rest, lease)));
      } catch (StoreException failure) {
        // What other shards gave is not to wait for the end of its lease.
        if (taken.isEmpty()) {
          throw failure;
        }
        break;
      }
    }
    taken.sort(Comparator.comparing(Delivery::id, ID_ORDER));
    return new Taken(taken, now);
  }

  private List<Delivery> take(Connection connection, int shard, int limit, Duration lease)
      throws SQLException {
    try (Call call = session.call(connection, "delivery.take")) {
      Params.instant(call, "now", session.settings().now());
      call.count("shard", shard).count("limit", limit).number("lease_ms", Lengths.millis(lease));
      return read(call);
    }
  }

  private List<Delivery> read(Call call) throws SQLException {
    List<Delivery> found = new ArrayList<>();
    ResultSet row = call.query();
    while (row.next()) {
      found.add(rows.delivery(row));
    }
    return found;
  }

  @Override
  public void extend(List<Delivery> taken, Duration lease) {
    Map<Integer, List<Delivery>> byShard =
        taken.stream().collect(Collectors.groupingBy(one -> Shards.of(one.id())));
    byShard.forEach(
        (shard, some) ->
            session.repeatedly(
                "deliver", (connection, unsure) -> extend(connection, shard, some, lease)));
  }

  private int extend(Connection connection, int shard, List<Delivery> taken, Duration lease)
      throws SQLException {
    try (Call call = session.call(connection, "delivery.extend")) {
      Params.instant(call, "now", session.settings().now());
      call.count("shard", shard).number("lease_ms", Lengths.millis(lease));
      Params.array(call, "ids", "uuid", taken, Delivery::id);
      Params.array(call, "epochs", "int8", taken, Delivery::epoch);
      return call.update();
    }
  }

  @Override
  public List<Boolean> settle(List<Sending> sendings) {
    return ByShard.of(
        sendings,
        Sending::delivery,
        (shard, some) ->
            session.repeatedly("deliver", (connection, unsure) -> settle(connection, shard, some)));
  }

  private List<Boolean> settle(Connection connection, int shard, List<Sending> sendings)
      throws SQLException {
    List<Settled> ends = sendings.stream().map(Settled::of).toList();
    Boolean[] written = new Boolean[sendings.size()];
    Arrays.fill(written, false);
    try (Call call = session.call(connection, "delivery.settle")) {
      Params.instant(call, "now", session.settings().now());
      call.count("shard", shard);
      List<Integer> places = IntStream.range(0, sendings.size()).boxed().toList();
      Params.array(call, "places", "int4", places, place -> place);
      Params.array(call, "ids", "uuid", sendings, Sending::delivery);
      Params.array(call, "epochs", "int8", sendings, Sending::epoch);
      Params.array(call, "nexts", "text", ends, end -> end.state().text());
      Params.array(call, "steps", "int4", ends, Settled::step);
      Params.array(call, "delays_ms", "int8", ends, end -> Lengths.millisOrNull(end.delay()));
      Params.array(call, "miss_kinds", "text", ends, end -> Params.text(end.missKind()));
      Params.array(call, "miss_statuses", "int4", ends, Settled::missStatus);
      Params.array(call, "miss_messages", "text", ends, end -> Params.text(end.missMessage()));
      ResultSet row = call.query();
      while (row.next()) {
        written[row.getInt("place")] = true;
      }
    }
    return Arrays.asList(written);
  }

  /** One whose answer was lost is there already. */
  @Override
  public boolean post(UUID task, NewDelivery delivery) {
    return session.repeatedly(
        "post",
        (connection, unsure) ->
            (unsure && find(connection, delivery.id()).isPresent())
                || new DeliveryWrites(session).insert(connection, task, delivery));
  }

  @Override
  public Optional<Delivery> find(UUID id) {
    return session.repeatedly("find", (connection, unsure) -> find(connection, id));
  }

  private Optional<Delivery> find(Connection connection, UUID id) throws SQLException {
    try (Call call = session.call(connection, "delivery.find")) {
      Params.uuid(call.count("shard", Shards.of(id)), "id", id);
      return read(call).stream().findFirst();
    }
  }

  @Override
  public DeliveryPage list(DeliveryFilter filter, PageRequest page) {
    String after = page.after();
    UUID last = after == null ? PostgresReader.BEYOND_IDS : PostgresReader.place(after);
    List<Delivery> found =
        session.repeatedly(
            "list", (connection, unsure) -> list(connection, filter, last, page.size() + 1));
    return DeliveryRows.page(found, page.size(), ID_ORDER);
  }

  private List<Delivery> list(Connection connection, DeliveryFilter filter, UUID after, int limit)
      throws SQLException {
    List<Delivery> found = new ArrayList<>();
    for (int shard : shards(filter.task())) {
      try (Call call = session.call(connection, DeliveryRows.listOf(filter))) {
        call.count("shard", shard)
            .count("limit", limit)
            .text("trigger", Params.text(filter.trigger()));
        Params.uuid(call, "after", after);
        if (filter.task() != null) {
          DeliveryState state = filter.state();
          Params.uuid(call, "task", filter.task());
          call.text("state", state == null ? null : state.text());
        }
        found.addAll(read(call));
      }
    }
    return found;
  }

  private int[] shards(@Nullable UUID task) {
    return task == null
        ? IntStream.range(0, session.settings().shards()).toArray()
        : new int[] {Shards.of(task)};
  }

  @Override
  public boolean redeliver(UUID id) {
    return session.repeatedly(
        "redeliver",
        (connection, unsure) -> redeliver(connection, id) || (unsure && isPending(connection, id)));
  }

  private boolean isPending(Connection connection, UUID id) throws SQLException {
    return find(connection, id).filter(one -> one.state() == DeliveryState.PENDING).isPresent();
  }

  boolean redeliver(Connection connection, UUID id) throws SQLException {
    try (Call call = session.call(connection, "delivery.redeliver")) {
      Params.instant(call, "now", session.settings().now());
      Params.uuid(call.count("shard", Shards.of(id)), "id", id);
      return call.update() == 1;
    }
  }
}

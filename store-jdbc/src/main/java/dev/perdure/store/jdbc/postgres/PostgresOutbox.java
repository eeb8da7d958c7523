// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

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
import dev.perdure.engine.task.StoreException;
import dev.perdure.store.jdbc.sql.DeliveryRowMapper;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
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

/** The outbox in {@code perdure_delivery}, shard by shard. */
final class PostgresOutbox implements Outbox {

  /** The order of uuid in PostgreSQL: bytewise and unsigned. */
  private final PostgresExecutor executor;

  private final DeliveryRowMapper rowMapper = new DeliveryRowMapper(new PostgresColumnReader());
  private final IntSupplier firstShard;

  /**
   * @param firstShard the shard with which the next claim starts; it rotates so that no shard is
   *     always last
   */
  PostgresOutbox(PostgresExecutor executor, IntSupplier firstShard) {
    this.executor = executor;
    this.firstShard = firstShard;
  }

  /**
   * Safe to repeat: a delivery claimed by a call whose response was lost is due again after its
   * lease.
   */
  @Override
  public ClaimedDeliveries claim(int limit, Duration lease) {
    int shards = executor.settings().shards();
    int first = firstShard.getAsInt();
    List<Delivery> claimed = new ArrayList<>();
    Instant now =
        executor.runIdempotent(
            "claim deliveries", (connection, mayHaveCommitted) -> executor.now(connection));
    for (int i = 0; i < shards && claimed.size() < limit; i++) {
      int shard = (first + i) % shards;
      int remaining = limit - claimed.size();
      try {
        claimed.addAll(
            executor.runIdempotent(
                "claim deliveries",
                (connection, mayHaveCommitted) -> claimShard(connection, shard, remaining, lease)));
      } catch (StoreException failure) {
        // Keep the deliveries from other shards; otherwise they would wait for their lease to end.
        if (claimed.isEmpty()) {
          throw failure;
        }
        break;
      }
    }
    claimed.sort(Comparator.comparing(Delivery::id, IdOrder.BYTEWISE));
    return new ClaimedDeliveries(claimed, now);
  }

  private List<Delivery> claimShard(Connection connection, int shard, int limit, Duration lease)
      throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "delivery.claim")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement
          .integer("shard", shard)
          .integer("limit", limit)
          .number("lease_ms", SqlTimes.toMillis(lease));
      return read(statement);
    }
  }

  private List<Delivery> read(NamedParameterStatement statement) throws SQLException {
    List<Delivery> found = new ArrayList<>();
    ResultSet row = statement.query();
    while (row.next()) {
      found.add(rowMapper.delivery(row));
    }
    return found;
  }

  @Override
  public void extendLeases(List<Delivery> claimed, Duration lease) {
    Map<Integer, List<Delivery>> byShard =
        claimed.stream().collect(Collectors.groupingBy(one -> Shards.of(one.id())));
    byShard.forEach(
        (shard, items) ->
            executor.runIdempotent(
                "extend delivery leases",
                (connection, mayHaveCommitted) -> extend(connection, shard, items, lease)));
  }

  private int extend(Connection connection, int shard, List<Delivery> claimed, Duration lease)
      throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "delivery.extend")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement.integer("shard", shard).number("lease_ms", SqlTimes.toMillis(lease));
      PostgresParameters.array(statement, "ids", "uuid", claimed, Delivery::id);
      PostgresParameters.array(statement, "epochs", "int8", claimed, Delivery::epoch);
      return statement.update();
    }
  }

  @Override
  public List<Boolean> settle(List<DeliveryUpdate> updates) {
    return ShardedWrites.run(
        updates,
        DeliveryUpdate::delivery,
        (shard, items) ->
            executor.runIdempotent(
                "settle deliveries",
                (connection, mayHaveCommitted) -> settle(connection, shard, items)));
  }

  private List<Boolean> settle(Connection connection, int shard, List<DeliveryUpdate> updates)
      throws SQLException {
    Boolean[] written = new Boolean[updates.size()];
    Arrays.fill(written, false);
    try (NamedParameterStatement statement = executor.statement(connection, "delivery.settle")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement.integer("shard", shard);
      List<Integer> indexes = IntStream.range(0, updates.size()).boxed().toList();
      PostgresParameters.array(statement, "item_indexes", "int4", indexes, index -> index);
      PostgresParameters.array(statement, "ids", "uuid", updates, DeliveryUpdate::delivery);
      PostgresParameters.array(statement, "epochs", "int8", updates, DeliveryUpdate::epoch);
      PostgresParameters.array(
          statement, "to_states", "text", updates, update -> update.state().text());
      PostgresParameters.array(
          statement, "attempt_increments", "int4", updates, DeliveryUpdate::attemptIncrement);
      PostgresParameters.array(
          statement,
          "delays_ms",
          "int8",
          updates,
          update -> SqlTimes.toMillisOrNull(update.delay()));
      PostgresParameters.array(
          statement,
          "failure_kinds",
          "text",
          updates,
          update -> {
            DeliveryFailure failure = update.failure();
            return failure == null ? null : PostgresParameters.withoutNul(failure.kind());
          });
      PostgresParameters.array(
          statement,
          "failure_statuses",
          "int4",
          updates,
          update -> {
            DeliveryFailure failure = update.failure();
            return failure == null ? null : failure.status();
          });
      PostgresParameters.array(
          statement,
          "failure_messages",
          "text",
          updates,
          update -> {
            DeliveryFailure failure = update.failure();
            return failure == null ? null : PostgresParameters.withoutNul(failure.message());
          });
      ResultSet row = statement.query();
      while (row.next()) {
        written[row.getInt("item_index")] = true;
      }
    }
    return Arrays.asList(written);
  }

  /** Safe to repeat: after a lost response the delivery may already exist. */
  @Override
  public boolean enqueue(UUID task, NewDelivery delivery) {
    return executor.runIdempotent(
        "enqueue delivery",
        (connection, mayHaveCommitted) ->
            (mayHaveCommitted && find(connection, delivery.id()).isPresent())
                || new DeliveryWriter(executor).insert(connection, task, delivery));
  }

  @Override
  public Optional<Delivery> find(UUID id) {
    return executor.runIdempotent(
        "find delivery", (connection, mayHaveCommitted) -> find(connection, id));
  }

  private Optional<Delivery> find(Connection connection, UUID id) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "delivery.find")) {
      PostgresParameters.uuid(statement.integer("shard", Shards.of(id)), "id", id);
      return read(statement).stream().findFirst();
    }
  }

  @Override
  public DeliveryPage list(DeliveryFilter filter, PageRequest page) {
    String after = page.cursor();
    UUID last =
        after == null ? PostgresTaskReader.AFTER_ALL_IDS : PostgresTaskReader.cursorId(after);
    List<Delivery> found =
        executor.runIdempotent(
            "list deliveries",
            (connection, mayHaveCommitted) -> list(connection, filter, last, page.size() + 1));
    return DeliveryRowMapper.page(found, page.size(), IdOrder.BYTEWISE);
  }

  private List<Delivery> list(Connection connection, DeliveryFilter filter, UUID after, int limit)
      throws SQLException {
    List<Delivery> found = new ArrayList<>();
    for (int shard : shards(filter.task())) {
      try (NamedParameterStatement statement =
          executor.statement(connection, DeliveryRowMapper.listStatement(filter))) {
        statement
            .integer("shard", shard)
            .integer("limit", limit)
            .text("trigger", PostgresParameters.withoutNul(filter.trigger()));
        PostgresParameters.uuid(statement, "after_id", after);
        if (filter.task() != null) {
          DeliveryState state = filter.state();
          PostgresParameters.uuid(statement, "task", filter.task());
          statement.text("state", state == null ? null : state.text());
        }
        found.addAll(read(statement));
      }
    }
    return found;
  }

  private int[] shards(@Nullable UUID task) {
    return task == null
        ? IntStream.range(0, executor.settings().shards()).toArray()
        : new int[] {Shards.of(task)};
  }

  @Override
  public boolean redeliver(UUID id, @Nullable DeliveryState from, Duration delay) {
    return executor.runIdempotent(
        "redeliver",
        (connection, mayHaveCommitted) ->
            redeliver(connection, id, from, delay)
                || (mayHaveCommitted && isPending(connection, id)));
  }

  private boolean isPending(Connection connection, UUID id) throws SQLException {
    return find(connection, id).filter(one -> one.state() == DeliveryState.PENDING).isPresent();
  }

  boolean redeliver(Connection connection, UUID id, @Nullable DeliveryState from, Duration delay)
      throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "delivery.redeliver")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      PostgresParameters.uuid(statement.integer("shard", Shards.of(id)), "id", id);
      statement.text("from", from == null ? null : from.text());
      return statement.number("delay_ms", (Long) SqlTimes.toMillis(delay)).update() == 1;
    }
  }
}

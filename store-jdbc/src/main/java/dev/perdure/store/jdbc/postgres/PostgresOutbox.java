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

/** The deliveries, shard by shard. */
final class PostgresOutbox implements Outbox {

  /** As the database orders them: byte by byte, without a sign. */
  private static final Comparator<UUID> ID_ORDER = Comparator.comparing(UUID::toString);

  private final PostgresExecutor executor;
  private final DeliveryRowMapper rowMapper = new DeliveryRowMapper(new PostgresColumnReader());
  private final IntSupplier firstShard;

  /**
   * @param firstShard where a claim begins to look; another each time, so that none comes last
   *     always
   */
  PostgresOutbox(PostgresExecutor postgresExecutor, IntSupplier firstShard) {
    this.executor = postgresExecutor;
    this.firstShard = firstShard;
  }

  /** What a lost answer had taken is due again after its lease. */
  @Override
  public ClaimedDeliveries claim(int limit, Duration lease) {
    int shards = executor.settings().shards();
    int first = firstShard.getAsInt();
    List<Delivery> taken = new ArrayList<>();
    Instant now =
        executor.runIdempotent("deliver", (connection, unsure) -> executor.now(connection));
    for (int i = 0; i < shards && taken.size() < limit; i++) {
      int shard = (first + i) % shards;
      int rest = limit - taken.size();
      try {
        taken.addAll(
            executor.runIdempotent(
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
    return new ClaimedDeliveries(taken, now);
  }

  private List<Delivery> take(Connection connection, int shard, int limit, Duration lease)
      throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "delivery.claim")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      namedParameterStatement
          .integer("shard", shard)
          .integer("limit", limit)
          .number("lease_ms", SqlTimes.toMillis(lease));
      return read(namedParameterStatement);
    }
  }

  private List<Delivery> read(NamedParameterStatement namedParameterStatement) throws SQLException {
    List<Delivery> found = new ArrayList<>();
    ResultSet row = namedParameterStatement.query();
    while (row.next()) {
      found.add(rowMapper.delivery(row));
    }
    return found;
  }

  @Override
  public void extendLeases(List<Delivery> taken, Duration lease) {
    Map<Integer, List<Delivery>> byShard =
        taken.stream().collect(Collectors.groupingBy(one -> Shards.of(one.id())));
    byShard.forEach(
        (shard, some) ->
            executor.runIdempotent(
                "deliver", (connection, unsure) -> extend(connection, shard, some, lease)));
  }

  private int extend(Connection connection, int shard, List<Delivery> taken, Duration lease)
      throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "delivery.extend")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      namedParameterStatement.integer("shard", shard).number("lease_ms", SqlTimes.toMillis(lease));
      PostgresParameters.array(namedParameterStatement, "ids", "uuid", taken, Delivery::id);
      PostgresParameters.array(namedParameterStatement, "epochs", "int8", taken, Delivery::epoch);
      return namedParameterStatement.update();
    }
  }

  @Override
  public List<Boolean> settle(List<DeliveryUpdate> updates) {
    return ShardedWrites.run(
        updates,
        DeliveryUpdate::delivery,
        (shard, some) ->
            executor.runIdempotent(
                "deliver", (connection, unsure) -> settle(connection, shard, some)));
  }

  private List<Boolean> settle(Connection connection, int shard, List<DeliveryUpdate> updates)
      throws SQLException {
    List<@Nullable DeliveryFailure> failures = new ArrayList<>();
    updates.forEach(update -> failures.add(update.failure()));
    Boolean[] written = new Boolean[updates.size()];
    Arrays.fill(written, false);
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "delivery.settle")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      namedParameterStatement.integer("shard", shard);
      List<Integer> places = IntStream.range(0, updates.size()).boxed().toList();
      PostgresParameters.array(
          namedParameterStatement, "item_indexes", "int4", places, place -> place);
      PostgresParameters.array(
          namedParameterStatement, "ids", "uuid", updates, DeliveryUpdate::delivery);
      PostgresParameters.array(
          namedParameterStatement, "epochs", "int8", updates, DeliveryUpdate::epoch);
      PostgresParameters.array(
          namedParameterStatement, "to_states", "text", updates, update -> update.state().text());
      PostgresParameters.array(
          namedParameterStatement,
          "attempt_increments",
          "int4",
          updates,
          DeliveryUpdate::attemptIncrement);
      PostgresParameters.array(
          namedParameterStatement,
          "delays_ms",
          "int8",
          updates,
          update -> SqlTimes.toMillisOrNull(update.delay()));
      PostgresParameters.array(
          namedParameterStatement,
          "failure_kinds",
          "text",
          failures,
          failure -> failure == null ? null : PostgresParameters.withoutNul(failure.kind()));
      PostgresParameters.array(
          namedParameterStatement,
          "failure_statuses",
          "int4",
          failures,
          failure -> failure == null ? null : failure.status());
      PostgresParameters.array(
          namedParameterStatement,
          "failure_messages",
          "text",
          failures,
          failure -> failure == null ? null : PostgresParameters.withoutNul(failure.message()));
      ResultSet row = namedParameterStatement.query();
      while (row.next()) {
        written[row.getInt("item_index")] = true;
      }
    }
    return Arrays.asList(written);
  }

  /** One whose answer was lost is there already. */
  @Override
  public boolean enqueue(UUID task, NewDelivery delivery) {
    return executor.runIdempotent(
        "post",
        (connection, unsure) ->
            (unsure && find(connection, delivery.id()).isPresent())
                || new DeliveryWriter(executor).insert(connection, task, delivery));
  }

  @Override
  public Optional<Delivery> find(UUID id) {
    return executor.runIdempotent("find", (connection, unsure) -> find(connection, id));
  }

  private Optional<Delivery> find(Connection connection, UUID id) throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "delivery.find")) {
      PostgresParameters.uuid(namedParameterStatement.integer("shard", Shards.of(id)), "id", id);
      return read(namedParameterStatement).stream().findFirst();
    }
  }

  @Override
  public DeliveryPage list(DeliveryFilter filter, PageRequest page) {
    String after = page.cursor();
    UUID last =
        after == null ? PostgresTaskReader.AFTER_ALL_IDS : PostgresTaskReader.cursorId(after);
    List<Delivery> found =
        executor.runIdempotent(
            "list", (connection, unsure) -> list(connection, filter, last, page.size() + 1));
    return DeliveryRowMapper.page(found, page.size(), ID_ORDER);
  }

  private List<Delivery> list(Connection connection, DeliveryFilter filter, UUID after, int limit)
      throws SQLException {
    List<Delivery> found = new ArrayList<>();
    for (int shard : shards(filter.task())) {
      try (NamedParameterStatement namedParameterStatement =
          executor.statement(connection, DeliveryRowMapper.listStatement(filter))) {
        namedParameterStatement
            .integer("shard", shard)
            .integer("limit", limit)
            .text("trigger", PostgresParameters.withoutNul(filter.trigger()));
        PostgresParameters.uuid(namedParameterStatement, "after_id", after);
        if (filter.task() != null) {
          DeliveryState state = filter.state();
          PostgresParameters.uuid(namedParameterStatement, "task", filter.task());
          namedParameterStatement.text("state", state == null ? null : state.text());
        }
        found.addAll(read(namedParameterStatement));
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
  public boolean redeliver(UUID id) {
    return executor.runIdempotent(
        "redeliver",
        (connection, unsure) -> redeliver(connection, id) || (unsure && isPending(connection, id)));
  }

  private boolean isPending(Connection connection, UUID id) throws SQLException {
    return find(connection, id).filter(one -> one.state() == DeliveryState.PENDING).isPresent();
  }

  boolean redeliver(Connection connection, UUID id) throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "delivery.redeliver")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      PostgresParameters.uuid(namedParameterStatement.integer("shard", Shards.of(id)), "id", id);
      return namedParameterStatement.update() == 1;
    }
  }
}

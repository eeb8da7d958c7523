// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.StoreException;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One claim: shard after shard, beginning with another each time, until it is full. */
final class PostgresClaim {

  /** When something is due and yet was not to be had: another is just taking it, or gives it up. */
  private static final Duration RETRY_DELAY = Duration.ofMillis(20);

  private final PostgresExecutor executor;
  private final TaskRowMapper rowMapper;
  private final ClaimRequest request;
  private final Map<String, Integer> freeSlots = new LinkedHashMap<>();
  private final List<Lease> leases = new ArrayList<>();
  private final List<NextDueHint> nextDueHints = new ArrayList<>();
  private @Nullable Instant now;

  PostgresClaim(PostgresExecutor postgresExecutor, TaskRowMapper rows, ClaimRequest request) {
    this.executor = postgresExecutor;
    this.rowMapper = rows;
    this.request = request;
    for (QueueCapacity queueCapacity : request.queues()) {
      if (queueCapacity.free() > 0) {
        freeSlots.merge(queueCapacity.queue(), queueCapacity.free(), Math::addExact);
      }
    }
  }

  /** When the next task of a shard is due; no length when it is not known. */
  private record NextDueHint(@Nullable Duration delay, boolean noneFound) {}

  /** What one shard gave. Kept only when its transaction was. */
  private record ShardClaim(Instant now, List<Lease> leases, @Nullable NextDueHint hint) {}

  ClaimResult claim(int firstShard) {
    int shards = executor.settings().shards();
    for (int i = 0; i < shards && (leases.size() < request.limit() || now == null); i++) {
      int shard = (firstShard + i) % shards;
      try {
        add(executor.runOnce("claim", (connection, unsure) -> claimShard(connection, shard)));
      } catch (StoreException failure) {
        // What other shards gave is not to be lost with it.
        if (leases.isEmpty()) {
          throw failure;
        }
        break;
      }
    }
    return claimed();
  }

  /** What was taken so far. */
  ClaimResult claimed() {
    if (now == null) {
      throw new IllegalStateException("no shard was asked");
    }
    return new ClaimResult(leases, now, nextDue().orElse(null));
  }

  /** Takes what there is of one shard, on a connection whose transaction is somebody else's. */
  PostgresClaim take(Connection connection, int shard) throws SQLException {
    add(claimShard(connection, shard));
    return this;
  }

  private ShardClaim claimShard(Connection connection, int shard) throws SQLException {
    List<Lease> taken = new ArrayList<>();
    Instant at = Instant.MIN;
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "claim.take")) {
      bind(namedParameterStatement, shard);
      ResultSet found = namedParameterStatement.query();
      while (found.next()) {
        at = rowMapper.instant(found, "now");
        if (found.getObject("id") != null) {
          taken.add(new Lease(rowMapper.task(found), found.getString("previous_failure_kind")));
        }
      }
    }
    boolean asks = taken.isEmpty() && !freeSlots.isEmpty();
    return new ShardClaim(at, taken, asks ? hint(connection, shard) : null);
  }

  private void add(ShardClaim shardClaim) {
    now = shardClaim.now();
    leases.addAll(shardClaim.leases());
    shardClaim
        .leases()
        .forEach(
            lease -> freeSlots.merge(lease.task().definition().queueOrKind(), -1, Integer::sum));
    if (shardClaim.hint() != null) {
      nextDueHints.add(shardClaim.hint());
    }
  }

  private void bind(NamedParameterStatement namedParameterStatement, int shard)
      throws SQLException {
    List<Map.Entry<String, Integer>> rooms =
        freeSlots.entrySet().stream().filter(room -> room.getValue() > 0).toList();
    int limit = request.limit() - leases.size();
    PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
    namedParameterStatement.integer("shard", shard);
    PostgresParameters.array(namedParameterStatement, "queues", "text", rooms, Map.Entry::getKey);
    PostgresParameters.array(
        namedParameterStatement,
        "free_slots",
        "int4",
        rooms,
        room -> Math.min(room.getValue(), limit));
    namedParameterStatement.integer("limit", limit);
    namedParameterStatement.flag("start", request.startNow());
    namedParameterStatement.text("worker", request.owner().worker());
    switch (request.owner()) {
      case LeaseOwner.NodeOwner node ->
          namedParameterStatement.text("node", node.worker()).number("lease_ms", null);
      case LeaseOwner.RemoteOwner worker ->
          namedParameterStatement
              .text("node", null)
              .number("lease_ms", SqlTimes.toMillis(worker.lease()));
    }
  }

  private NextDueHint hint(Connection connection, int shard) throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "claim.next_due")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      namedParameterStatement.integer("shard", shard);
      PostgresParameters.array(
          namedParameterStatement, "queues", "text", List.copyOf(freeSlots.keySet()), kind -> kind);
      ResultSet row = namedParameterStatement.query();
      row.next();
      long wait = row.getLong("wait_ms");
      boolean nothing = row.wasNull();
      boolean weighted = row.getLong("prioritized") > 0;
      if (!nothing && wait <= 0) {
        return new NextDueHint(RETRY_DELAY, false);
      }
      return new NextDueHint(
          nothing || weighted ? null : Duration.ofMillis(wait), nothing && !weighted);
    }
  }

  /** The shortest wait, when every shard was empty and knows it. */
  private Optional<Duration> nextDue() {
    if (nextDueHints.size() < executor.settings().shards()
        || nextDueHints.stream()
            .anyMatch(nextDueHint -> nextDueHint.delay() == null && !nextDueHint.noneFound())) {
      return Optional.empty();
    }
    return nextDueHints.stream()
        .map(NextDueHint::delay)
        .filter(Objects::nonNull)
        .min(Duration::compareTo);
  }
}

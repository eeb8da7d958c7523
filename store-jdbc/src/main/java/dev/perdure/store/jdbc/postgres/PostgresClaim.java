// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.LimitedClaim;
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

/**
 * One claim. It visits the shards one after the other, starting with a different one each time,
 * until it has enough tasks.
 */
final class PostgresClaim {

  /** Delay before the next claim when a task is due but another claim has locked it. */
  private static final Duration RETRY_DELAY = Duration.ofMillis(20);

  /** The same for a limit, which another claim locks for a moment only. */
  private static final Duration LIMIT_RETRY_DELAY = Duration.ofMillis(3);

  private final PostgresExecutor executor;
  private final TaskRowMapper rowMapper;
  private final ClaimRequest request;
  private final Map<String, Integer> freeSlots = new LinkedHashMap<>();
  private final List<Lease> leases = new ArrayList<>();
  private final List<NextDueHint> hints = new ArrayList<>();
  private final boolean limitedFirst;
  private @Nullable Instant now;
  private boolean hasLimited;

  /**
   * @param limitedFirst whether to look at limited tasks first. Every other claim should, so that
   *     neither they nor the others keep the other ones from being claimed
   */
  PostgresClaim(
      PostgresExecutor executor,
      TaskRowMapper rowMapper,
      ClaimRequest request,
      boolean limitedFirst) {
    this.executor = executor;
    this.rowMapper = rowMapper;
    this.request = request;
    this.limitedFirst = limitedFirst;
    for (QueueCapacity capacity : request.queues()) {
      if (capacity.free() > 0) {
        freeSlots.merge(capacity.queue(), capacity.free(), Math::addExact);
      }
    }
  }

  /** When the next task of a shard is due; the delay is null if that is unknown. */
  private record NextDueHint(@Nullable Duration delay, boolean noneFound) {}

  /** The tasks claimed from one shard. They count only after their transaction has committed. */
  private record ShardClaim(
      Instant now, List<Lease> leases, @Nullable NextDueHint hint, boolean hasLimited) {}

  /** The same for tasks with limits, and whether there is more to claim now. */
  private record LimitedShardClaim(ShardClaim claimed, boolean more) {}

  ClaimResult claim(int firstShard) {
    int shards = executor.settings().shards();
    for (int i = 0; i < shards && (leases.size() < request.limit() || now == null); i++) {
      int shard = (firstShard + i) % shards;
      try {
        visit(shard);
      } catch (StoreException failure) {
        // Keep the leases from other shards.
        if (leases.isEmpty()) {
          throw failure;
        }
        break;
      }
    }
    return claimed();
  }

  private void visit(int shard) {
    if (limitedFirst) {
      claimLimited(shard);
    }
    if (now == null || hasRoom()) {
      ShardClaim claimed =
          executor.runOnce(
              "claim", (connection, mayHaveCommitted) -> claimShard(connection, shard));
      add(claimed);
      if (claimed.hasLimited() && !limitedFirst && hasRoom()) {
        claimLimited(shard);
        if (leases.isEmpty()) {
          hints.add(
              executor.runOnce("claim", (connection, mayHaveCommitted) -> hint(connection, shard)));
        }
      }
    }
  }

  private boolean hasRoom() {
    return leases.size() < request.limit()
        && freeSlots.values().stream().anyMatch(free -> free > 0);
  }

  private void claimLimited(int shard) {
    if (claimExisting(shard)) {
      claimExisting(shard);
    }
  }

  /**
   * Returns whether limits were missing, which exist now, or tasks have got those of their kind.
   */
  private boolean claimExisting(int shard) {
    List<QueueCapacity> queues =
        freeSlots.entrySet().stream()
            .filter(capacity -> capacity.getValue() > 0)
            .map(capacity -> new QueueCapacity(capacity.getKey(), capacity.getValue()))
            .toList();
    if (queues.isEmpty() || leases.size() == request.limit()) {
      return false;
    }
    List<String> names = queues.stream().map(QueueCapacity::queue).toList();
    LimitedShardClaim limited =
        executor.runOnce(
            "claim",
            (connection, mayHaveCommitted) -> {
              PostgresLimitTables tables =
                  new PostgresLimitTables(executor, connection, shard, names, this::bindOwner);
              ShardClaim claimed =
                  PostgresExecutor.inTransaction(
                      connection, (same, again) -> limitedClaim(tables, queues));
              return new LimitedShardClaim(claimed, tables.prepareNext());
            });
    add(limited.claimed());
    return limited.more();
  }

  private ShardClaim limitedClaim(PostgresLimitTables tables, List<QueueCapacity> queues)
      throws SQLException {
    LimitedClaim.Claimed claimed =
        new LimitedClaim<>(tables, queues, request.limit() - leases.size()).run();
    NextDueHint soon = claimed.more() ? new NextDueHint(LIMIT_RETRY_DELAY, false) : null;
    return new ShardClaim(claimed.now(), claimed.leases(), soon, true);
  }

  /** Returns whether there were limited tasks to look at. */
  boolean hasLimited() {
    return hasLimited;
  }

  /** Returns the leases claimed so far. */
  ClaimResult claimed() {
    if (now == null) {
      throw new IllegalStateException("claim() must visit a shard first");
    }
    return new ClaimResult(leases, now, nextDue().orElse(null));
  }

  /** Claims tasks of one shard on a given connection without committing. */
  PostgresClaim take(Connection connection, int shard) throws SQLException {
    add(claimShard(connection, shard));
    return this;
  }

  private ShardClaim claimShard(Connection connection, int shard) throws SQLException {
    List<Lease> claimed = new ArrayList<>();
    Instant now = Instant.MIN;
    boolean limited = false;
    try (NamedParameterStatement statement = executor.statement(connection, "claim.take")) {
      bind(statement, shard);
      ResultSet found = statement.query();
      while (found.next()) {
        now = rowMapper.instant(found, "now");
        limited = found.getBoolean("has_limited");
        if (found.getObject("id") != null) {
          claimed.add(lease(rowMapper, found));
        }
      }
    }
    // With limited tasks it is known only after they have been looked at.
    boolean needsHint = claimed.isEmpty() && !freeSlots.isEmpty() && (limitedFirst || !limited);
    return new ShardClaim(now, claimed, needsHint ? hint(connection, shard) : null, limited);
  }

  static Lease lease(TaskRowMapper rowMapper, ResultSet row) throws SQLException {
    return new Lease(
        rowMapper.task(row), row.getString("previous_failure_kind"), row.getBoolean("has_parents"));
  }

  private void add(ShardClaim claim) {
    now = claim.now();
    hasLimited |= claim.hasLimited();
    leases.addAll(claim.leases());
    claim
        .leases()
        .forEach(
            lease -> freeSlots.merge(lease.task().definition().queueOrKind(), -1, Integer::sum));
    if (claim.hint() != null) {
      hints.add(claim.hint());
    }
  }

  private void bind(NamedParameterStatement statement, int shard) throws SQLException {
    List<Map.Entry<String, Integer>> capacities =
        freeSlots.entrySet().stream().filter(capacity -> capacity.getValue() > 0).toList();
    int limit = request.limit() - leases.size();
    PostgresParameters.instant(statement, "now", executor.settings().now());
    statement.integer("shard", shard);
    PostgresParameters.array(statement, "queues", "text", capacities, Map.Entry::getKey);
    PostgresParameters.array(
        statement,
        "free_slots",
        "int4",
        capacities,
        capacity -> Math.min(capacity.getValue(), limit));
    statement.integer("limit", limit);
    bindOwner(statement);
  }

  private void bindOwner(NamedParameterStatement statement) throws SQLException {
    statement.flag("start", request.startNow());
    statement.text("worker", request.owner().worker());
    switch (request.owner()) {
      case LeaseOwner.NodeOwner node ->
          statement.text("node", node.worker()).number("lease_ms", null);
      case LeaseOwner.RemoteOwner worker ->
          statement.text("node", null).number("lease_ms", SqlTimes.toMillis(worker.lease()));
    }
  }

  private NextDueHint hint(Connection connection, int shard) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "claim.next_due")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement.integer("shard", shard);
      PostgresParameters.array(
          statement, "queues", "text", List.copyOf(freeSlots.keySet()), queue -> queue);
      ResultSet row = statement.query();
      row.next();
      Long limited = number(row, "limited_ms");
      Long wait = sooner(number(row, "wait_ms"), limited);
      boolean prioritized = row.getLong("prioritized") > 0;
      if (wait != null && wait <= 0) {
        return new NextDueHint(RETRY_DELAY, false);
      }
      // A task with a priority may be due at any time, but limits have to be looked at by then.
      Long known = prioritized ? limited : wait;
      return new NextDueHint(
          known == null ? null : Duration.ofMillis(known), wait == null && !prioritized);
    }
  }

  private static @Nullable Long number(ResultSet row, String column) throws SQLException {
    long number = row.getLong(column);
    return row.wasNull() ? null : number;
  }

  private static @Nullable Long sooner(@Nullable Long one, @Nullable Long other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return Math.min(one, other);
  }

  /** Returns the shortest delay if every shard was empty and knows its next due time. */
  private Optional<Duration> nextDue() {
    if (hints.size() < executor.settings().shards()
        || hints.stream().anyMatch(next -> next.delay() == null && !next.noneFound())) {
      return Optional.empty();
    }
    return hints.stream().map(NextDueHint::delay).filter(Objects::nonNull).min(Duration::compareTo);
  }
}

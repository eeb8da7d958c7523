// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.LimitedClaim;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Task;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One claim in the writer's transaction. Nothing changes between its statements. */
final class SqliteClaim {

  private static final Comparator<Candidate> ORDER =
      Comparator.comparingLong(Candidate::claimAt).thenComparing(Candidate::id, IdOrder.BYTEWISE);

  private static final Duration SHORTLY = Duration.ofMillis(20);

  /** Delay before the next claim when this one did not look at all limits. */
  private static final Duration MORE_LIMITS_DELAY = Duration.ofMillis(3);

  private final SqliteSession session;
  private final ClaimRequest request;
  private final int shards;
  private final long now;
  private final Map<String, Integer> freeSlots = new LinkedHashMap<>();
  private final List<Lease> leases = new ArrayList<>();
  private boolean hasKinds;
  private boolean moreLimited;

  SqliteClaim(SqliteSession session, ClaimRequest request, int shards, long now) {
    this.session = session;
    this.request = request;
    this.shards = shards;
    this.now = now;
    for (QueueCapacity capacity : request.queues()) {
      if (capacity.free() > 0) {
        freeSlots.merge(capacity.queue(), capacity.free(), Integer::sum);
      }
    }
  }

  /** A due task that can be claimed. */
  private record Candidate(
      int shard,
      UUID id,
      String queue,
      long claimAt,
      @Nullable String failureKind,
      boolean hasParents) {}

  /**
   * @param limitedFirst whether to look at limited tasks first. Every other claim should, so that
   *     neither they nor the others keep the other ones from being claimed
   */
  ClaimResult claim(boolean limitedFirst) throws SQLException {
    Instant instant = Instant.ofEpochMilli(now);
    if (!isOwnerAlive()) {
      return new ClaimResult(List.of(), instant, null);
    }
    boolean limited = findLimited();
    if (limited && limitedFirst) {
      claimLimited();
    }
    boolean more = claimUnlimited();
    if (limited && !limitedFirst) {
      claimLimited();
    }
    boolean full = freeSlots.containsValue(0) || leases.size() == request.limit();
    return new ClaimResult(leases, instant, more || full ? null : nextDue());
  }

  /** Returns whether there is more to claim. */
  private boolean claimUnlimited() throws SQLException {
    List<Candidate> chosen = new ArrayList<>();
    boolean more = false;
    for (Candidate candidate : candidates()) {
      int capacity = freeSlots.getOrDefault(candidate.queue(), 0);
      if (capacity > 0 && leases.size() + chosen.size() < request.limit()) {
        freeSlots.put(candidate.queue(), capacity - 1);
        chosen.add(candidate);
      } else {
        more = true;
      }
    }
    leases.addAll(take(chosen));
    return more;
  }

  /**
   * Returns whether there may be limits to look at, after due tasks have got those of their kind.
   */
  private boolean findLimited() throws SQLException {
    boolean found =
        session
            .statement("limit.any")
            .number("now", now)
            .one(
                row -> {
                  hasKinds = row.getBoolean("has_kinds");
                  return row.getBoolean("found");
                })
            .orElse(false);
    for (int shard = 0; hasKinds && shard < shards; shard++) {
      moreLimited |= new SqliteKindLimits(session, now, shard).updateDue(freeSlots.keySet());
    }
    return found || hasKinds;
  }

  private void claimLimited() throws SQLException {
    for (int shard = 0; shard < shards && leases.size() < request.limit(); shard++) {
      List<QueueCapacity> queues =
          freeSlots.entrySet().stream()
              .filter(capacity -> capacity.getValue() > 0)
              .map(capacity -> new QueueCapacity(capacity.getKey(), capacity.getValue()))
              .toList();
      SqliteLimitTables tables =
          new SqliteLimitTables(
              session,
              now,
              shard,
              queues.stream().map(QueueCapacity::queue).toList(),
              hasKinds,
              this::takeLimited);
      LimitedClaim.Claimed claimed =
          new LimitedClaim<>(tables, queues, request.limit() - leases.size()).run();
      moreLimited |= claimed.more();
      for (Lease lease : claimed.leases()) {
        freeSlots.merge(lease.task().definition().queueOrKind(), -1, Integer::sum);
        leases.add(lease);
      }
    }
  }

  private List<Lease> takeLimited(int shard, List<UUID> ids) throws SQLException {
    Map<UUID, Candidate> before = new HashMap<>();
    session
        .statement("claim.before")
        .number("shard", shard)
        .text("ids", SqliteValues.hexJson(ids))
        .list(
            row ->
                new Candidate(
                    shard,
                    SqliteValues.uuid(row.getBytes("id")),
                    row.getString("queue"),
                    row.getLong("claim_at"),
                    row.getString("failure_kind"),
                    row.getBoolean("has_parents")))
        .forEach(candidate -> before.put(candidate.id(), candidate));
    return take(
        ids.stream().map(before::get).filter(Objects::nonNull).toList(), "claim.take_limited");
  }

  private boolean isOwnerAlive() throws SQLException {
    return switch (request.owner()) {
      case LeaseOwner.NodeOwner node ->
          session
              .statement("node.find_alive")
              .text("node", node.node().toString())
              .number("now", now)
              .one(row -> true)
              .orElse(false);
      case LeaseOwner.RemoteOwner worker -> true;
    };
  }

  /** Returns the first due tasks of each queue in all shards, in claim order. */
  private List<Candidate> candidates() throws SQLException {
    List<Candidate> candidates = new ArrayList<>();
    CachedStatement due = session.statement("claim.due").number("now", now);
    // Each column that is read costs a call into the driver, and nodes do not need this one.
    boolean isRemote = request.owner() instanceof LeaseOwner.RemoteOwner;
    for (Map.Entry<String, Integer> capacity : freeSlots.entrySet()) {
      due.text("queue", capacity.getKey())
          .number("free_slots", Math.min(capacity.getValue(), request.limit()));
      for (int shard = 0; shard < shards; shard++) {
        int from = shard;
        candidates.addAll(
            due.number("shard", shard)
                .list(
                    row ->
                        new Candidate(
                            from,
                            SqliteValues.uuid(row.getBytes("id")),
                            capacity.getKey(),
                            row.getLong("claim_at"),
                            row.getString("failure_kind"),
                            isRemote && row.getBoolean("has_parents"))));
      }
    }
    candidates.sort(ORDER);
    return candidates;
  }

  /**
   * Claims the tasks of a shard with two statements, because each statement costs the driver more
   * than a row.
   */
  private List<Lease> take(List<Candidate> chosen) throws SQLException {
    return take(chosen, "claim.take");
  }

  private List<Lease> take(List<Candidate> chosen, String statement) throws SQLException {
    Map<Integer, List<UUID>> byShard =
        chosen.stream()
            .collect(groupingBy(Candidate::shard, mapping(Candidate::id, Collectors.toList())));
    Map<UUID, Task> tasks = new HashMap<>();
    for (Map.Entry<Integer, List<UUID>> entry : byShard.entrySet()) {
      take(entry.getKey(), entry.getValue(), statement).forEach(task -> tasks.put(task.id(), task));
    }
    List<Lease> taken = new ArrayList<>(chosen.size());
    for (Candidate candidate : chosen) {
      Task task = tasks.get(candidate.id());
      if (task == null) {
        throw new SQLException("task " + candidate.id() + " has no definition");
      }
      taken.add(new Lease(task, candidate.failureKind(), candidate.hasParents()));
    }
    return taken;
  }

  private List<Task> take(int shard, List<UUID> ids, String statement) throws SQLException {
    String json = SqliteValues.hexJson(ids);
    int written =
        session
            .statement(statement)
            .number("now", now)
            .number("shard", shard)
            .text("ids", json)
            .flag("start", request.startNow())
            .text("worker", request.owner().worker())
            .number("lease_ms", leaseMs())
            .update();
    if (written != ids.size()) {
      throw new SQLException(
          "%d of %d tasks changed during the claim's own transaction"
              .formatted(ids.size() - written, ids.size()));
    }
    return session
        .statement("task_view.find_all")
        .number("shard", shard)
        .text("ids", json)
        .list(SqliteColumnReader.TASK_ROW_MAPPER::task);
  }

  private @Nullable Long leaseMs() {
    return switch (request.owner()) {
      case LeaseOwner.NodeOwner node -> null;
      case LeaseOwner.RemoteOwner worker -> SqliteValues.millis(worker.lease());
    };
  }

  /**
   * When the next task of one queue in one shard is due. Unknown if the queue has tasks with a
   * priority.
   */
  private record NextDue(
      @Nullable Instant due,
      @Nullable Instant limited,
      @Nullable Instant shared,
      @Nullable Instant sharedDue,
      boolean hasPriorities) {}

  private @Nullable Duration nextDue() throws SQLException {
    if (moreLimited) {
      return MORE_LIMITS_DELAY;
    }
    CachedStatement next = session.statement("claim.next_due").number("now", now);
    Instant earliest = Instant.MAX;
    Instant unlimited = Instant.MAX;
    boolean known = true;
    for (String queue : freeSlots.keySet()) {
      next.text("queue", queue);
      for (int shard = 0; shard < shards; shard++) {
        NextDue found = next.number("shard", shard).one(SqliteClaim::next).orElseThrow();
        Instant limited = found.limited();
        earliest = sooner(sooner(earliest, found.shared()), found.sharedDue());
        earliest = sooner(earliest, limited == null ? null : later(limited));
        if (found.hasPriorities()) {
          known = false;
        } else {
          unlimited = sooner(unlimited, found.due());
        }
      }
    }
    // A task with a priority may be due at any time, but limits have to be looked at by then.
    earliest = known ? sooner(earliest, unlimited) : earliest;
    return earliest.equals(Instant.MAX)
        ? null
        : Duration.between(Instant.ofEpochMilli(now), earliest);
  }

  /** A limit that this claim has looked at is looked at again, but not at once. */
  private Instant later(Instant lookAt) {
    Instant instant = Instant.ofEpochMilli(now);
    return lookAt.isAfter(instant) ? lookAt : instant.plus(SHORTLY);
  }

  private static Instant sooner(Instant one, @Nullable Instant other) {
    return other != null && other.isBefore(one) ? other : one;
  }

  private static NextDue next(ResultSet row) throws SQLException {
    return new NextDue(
        SqliteColumnReader.INSTANCE.instant(row, "due_at"),
        SqliteColumnReader.INSTANCE.instant(row, "limited_at"),
        SqliteColumnReader.INSTANCE.instant(row, "shared_at"),
        SqliteColumnReader.INSTANCE.instant(row, "shared_due_at"),
        row.getBoolean("prioritized"));
  }
}

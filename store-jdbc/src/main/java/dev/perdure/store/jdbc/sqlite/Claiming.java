// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.ClaimRequest.Room;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.store.Lease;
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
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One claim, in the writer's transaction: nothing moves between its statements. */
final class Claiming {

  private static final Comparator<Candidate> ORDER =
      Comparator.comparingLong(Candidate::claimAt).thenComparing(Candidate::id, Values.ID_ORDER);

  private final Session session;
  private final ClaimRequest request;
  private final int shards;
  private final long now;
  private final Map<String, Integer> free = new LinkedHashMap<>();

  Claiming(Session session, ClaimRequest request, int shards, long now) {
    this.session = session;
    this.request = request;
    this.shards = shards;
    this.now = now;
    for (Room room : request.kinds()) {
      if (room.free() > 0) {
        free.merge(room.kind(), room.free(), Integer::sum);
      }
    }
  }

  /** A task that may be taken. */
  private record Candidate(
      int shard, UUID id, String kind, long claimAt, @Nullable String failureKind) {}

  Claimed claim() throws SQLException {
    Instant instant = Instant.ofEpochMilli(now);
    if (!mayHold()) {
      return new Claimed(List.of(), instant, null);
    }
    List<Candidate> chosen = new ArrayList<>();
    boolean more = false;
    for (Candidate candidate : candidates()) {
      int room = free.getOrDefault(candidate.kind(), 0);
      if (room > 0 && chosen.size() < request.limit()) {
        free.put(candidate.kind(), room - 1);
        chosen.add(candidate);
      } else {
        more = true;
      }
    }
    List<Lease> leases = take(chosen);
    boolean full = free.containsValue(0) || leases.size() == request.limit();
    return new Claimed(leases, instant, more || full ? null : nextDue());
  }

  private boolean mayHold() throws SQLException {
    return switch (request.holder()) {
      case Holder.OfNode node ->
          session
              .sql("node.lock")
              .text("node", node.node().toString())
              .number("now", now)
              .row(row -> true)
              .orElse(false);
      case Holder.OfWorker worker -> true;
    };
  }

  /** The first of each kind, from all shards, in the order of the claim. */
  private List<Candidate> candidates() throws SQLException {
    List<Candidate> candidates = new ArrayList<>();
    Prepared due = session.sql("claim.due").number("now", now);
    for (Map.Entry<String, Integer> room : free.entrySet()) {
      due.text("kind", room.getKey()).number("free", Math.min(room.getValue(), request.limit()));
      for (int shard = 0; shard < shards; shard++) {
        int from = shard;
        candidates.addAll(
            due.number("shard", shard)
                .rows(
                    row ->
                        new Candidate(
                            from,
                            Values.uuid(row.getBytes("id")),
                            room.getKey(),
                            row.getLong("claim_at"),
                            row.getString("failure_kind"))));
      }
    }
    candidates.sort(ORDER);
    return candidates;
  }

  /** All of a shard in two statements: each costs the driver more than a row does. */
  private List<Lease> take(List<Candidate> chosen) throws SQLException {
    Map<Integer, List<UUID>> byShard =
        chosen.stream()
            .collect(groupingBy(Candidate::shard, mapping(Candidate::id, Collectors.toList())));
    Map<UUID, Task> tasks = new HashMap<>();
    for (Map.Entry<Integer, List<UUID>> of : byShard.entrySet()) {
      take(of.getKey(), of.getValue()).forEach(task -> tasks.put(task.id(), task));
    }
    List<Lease> leases = new ArrayList<>(chosen.size());
    for (Candidate candidate : chosen) {
      Task task = tasks.get(candidate.id());
      if (task == null) {
        throw new SQLException("task " + candidate.id() + " has no definition");
      }
      leases.add(new Lease(task, candidate.failureKind()));
    }
    return leases;
  }

  private List<Task> take(int shard, List<UUID> ids) throws SQLException {
    String json = Values.json(ids);
    int written =
        session
            .sql("claim.take")
            .number("now", now)
            .number("shard", shard)
            .text("ids", json)
            .flag("start", request.start())
            .text("worker", request.holder().worker())
            .number("lease_ms", leaseMs())
            .update();
    if (written != ids.size()) {
      throw new SQLException(
          "%d of %d tasks moved within a transaction".formatted(ids.size() - written, ids.size()));
    }
    return session
        .sql("task_shown.find_all")
        .number("shard", shard)
        .text("ids", json)
        .rows(SqliteColumns.ROWS::task);
  }

  private @Nullable Long leaseMs() {
    return switch (request.holder()) {
      case Holder.OfNode node -> null;
      case Holder.OfWorker worker -> Values.millis(worker.lease());
    };
  }

  /** One kind in one shard: when its next task is due, and whether that can be told. */
  private record Next(@Nullable Instant due, boolean weighted) {}

  private @Nullable Duration nextDue() throws SQLException {
    Prepared next = session.sql("claim.next_due").number("now", now);
    Instant earliest = Instant.MAX;
    for (String kind : free.keySet()) {
      next.text("kind", kind);
      for (int shard = 0; shard < shards; shard++) {
        Next found = next.number("shard", shard).row(Claiming::next).orElseThrow();
        if (found.weighted()) {
          return null;
        }
        Instant due = found.due();
        earliest = due != null && due.isBefore(earliest) ? due : earliest;
      }
    }
    return earliest.equals(Instant.MAX)
        ? null
        : Duration.between(Instant.ofEpochMilli(now), earliest);
  }

  private static Next next(ResultSet row) throws SQLException {
    return new Next(SqliteColumns.INSTANCE.instant(row, "due_at"), row.getBoolean("weighted"));
  }
}

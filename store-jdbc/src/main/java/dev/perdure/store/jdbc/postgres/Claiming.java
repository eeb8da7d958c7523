// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.ClaimRequest.Room;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.store.Lease;
import dev.perdure.engine.store.StoreException;
import dev.perdure.store.jdbc.sql.Call;
import dev.perdure.store.jdbc.sql.Lengths;
import dev.perdure.store.jdbc.sql.TaskRows;
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
final class Claiming {

  /** When something is due and yet was not to be had: another is just taking it, or gives it up. */
  private static final Duration AGAIN = Duration.ofMillis(20);

  private final Session session;
  private final TaskRows rows;
  private final ClaimRequest request;
  private final Map<String, Integer> free = new LinkedHashMap<>();
  private final List<Lease> leases = new ArrayList<>();
  private final List<Hint> hints = new ArrayList<>();
  private @Nullable Instant now;

  Claiming(Session session, TaskRows rows, ClaimRequest request) {
    this.session = session;
    this.rows = rows;
    this.request = request;
    for (Room room : request.kinds()) {
      if (room.free() > 0) {
        free.merge(room.kind(), room.free(), Math::addExact);
      }
    }
  }

  /** When the next task of a shard is due; no length when it is not known. */
  private record Hint(@Nullable Duration length, boolean nothing) {}

  /** What one shard gave. Kept only when its transaction was. */
  private record Haul(Instant now, List<Lease> leases, @Nullable Hint hint) {}

  Claimed claim(int firstShard) {
    int shards = session.settings().shards();
    for (int i = 0; i < shards && (leases.size() < request.limit() || now == null); i++) {
      int shard = (firstShard + i) % shards;
      try {
        keep(session.once("claim", (connection, unsure) -> haul(connection, shard)));
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
  Claimed claimed() {
    if (now == null) {
      throw new IllegalStateException("no shard was asked");
    }
    return new Claimed(leases, now, nextDue().orElse(null));
  }

  /** Takes what there is of one shard, on a connection whose transaction is somebody else's. */
  Claiming take(Connection connection, int shard) throws SQLException {
    keep(haul(connection, shard));
    return this;
  }

  private Haul haul(Connection connection, int shard) throws SQLException {
    List<Lease> taken = new ArrayList<>();
    Instant at = Instant.MIN;
    try (Call call = session.call(connection, "claim.take")) {
      bind(call, shard);
      ResultSet found = call.query();
      while (found.next()) {
        at = rows.instant(found, "now");
        if (found.getObject("id") != null) {
          taken.add(new Lease(rows.task(found), found.getString("failure_before")));
        }
      }
    }
    boolean asks = taken.isEmpty() && !free.isEmpty();
    return new Haul(at, taken, asks ? hint(connection, shard) : null);
  }

  private void keep(Haul haul) {
    now = haul.now();
    leases.addAll(haul.leases());
    haul.leases()
        .forEach(lease -> free.merge(lease.task().definition().claimedAs(), -1, Integer::sum));
    if (haul.hint() != null) {
      hints.add(haul.hint());
    }
  }

  private void bind(Call call, int shard) throws SQLException {
    List<Map.Entry<String, Integer>> rooms =
        free.entrySet().stream().filter(room -> room.getValue() > 0).toList();
    int limit = request.limit() - leases.size();
    Params.instant(call, "now", session.settings().now());
    call.count("shard", shard);
    Params.array(call, "kinds", "text", rooms, Map.Entry::getKey);
    Params.array(call, "frees", "int4", rooms, room -> Math.min(room.getValue(), limit));
    call.count("limit", limit);
    call.flag("start", request.start());
    call.text("worker", request.holder().worker());
    switch (request.holder()) {
      case Holder.OfNode node -> call.text("node", node.worker()).number("lease_ms", null);
      case Holder.OfWorker worker ->
          call.text("node", null).number("lease_ms", Lengths.millis(worker.lease()));
    }
  }

  private Hint hint(Connection connection, int shard) throws SQLException {
    try (Call call = session.call(connection, "claim.next_due")) {
      Params.instant(call, "now", session.settings().now());
      call.count("shard", shard);
      Params.array(call, "kinds", "text", List.copyOf(free.keySet()), kind -> kind);
      ResultSet row = call.query();
      row.next();
      long wait = row.getLong("wait_ms");
      boolean nothing = row.wasNull();
      boolean weighted = row.getLong("weighted") > 0;
      if (!nothing && wait <= 0) {
        return new Hint(AGAIN, false);
      }
      return new Hint(nothing || weighted ? null : Duration.ofMillis(wait), nothing && !weighted);
    }
  }

  /** The shortest wait, when every shard was empty and knows it. */
  private Optional<Duration> nextDue() {
    if (hints.size() < session.settings().shards()
        || hints.stream().anyMatch(hint -> hint.length() == null && !hint.nothing())) {
      return Optional.empty();
    }
    return hints.stream().map(Hint::length).filter(Objects::nonNull).min(Duration::compareTo);
  }
}

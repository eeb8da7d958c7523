// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.ClaimRequest.Room;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.store.Lease;
import dev.perdure.engine.task.Custody;
import dev.perdure.engine.task.Ending;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One claim. */
final class Claiming {

  private final ModelDatabase database;
  private final ClaimRequest request;
  private final Instant now;
  private final Map<String, Integer> free = new LinkedHashMap<>();

  Claiming(ModelDatabase database, ClaimRequest request) {
    this.database = database;
    this.request = request;
    this.now = database.now();
    for (Room room : request.kinds()) {
      if (room.free() > 0) {
        free.merge(room.kind(), room.free(), Integer::sum);
        queue(room.kind()).turn(now);
      }
    }
  }

  Claimed claim() {
    if (!mayHold()) {
      return new Claimed(List.of(), now, null);
    }
    List<Lease> leases = new ArrayList<>();
    Optional<Row> row = first();
    while (leases.size() < request.limit() && row.isPresent()) {
      leases.add(take(row.get()));
      free.merge(row.get().claimedAs(), -1, Integer::sum);
      row = first();
    }
    return new Claimed(leases, now, nextDue());
  }

  private boolean mayHold() {
    return switch (request.holder()) {
      case Holder.OfNode node -> database.nodes.isAlive(node.node(), now);
      case Holder.OfWorker worker -> true;
    };
  }

  /** The first due task of the kinds that still have room. */
  private Optional<Row> first() {
    return free.entrySet().stream()
        .filter(room -> room.getValue() > 0)
        .map(room -> queue(room.getKey()).first(now))
        .filter(Objects::nonNull)
        .min(Row.BY_CLAIM);
  }

  private Lease take(Row row) {
    Task before = row.task();
    Times times = before.times();
    Task task =
        new Task(
            before.id(),
            before.batch(),
            before.run(),
            before.definition(),
            request.start() ? TaskState.RUNNING : TaskState.CLAIMED,
            before.hold(),
            custody(before),
            before.counting(),
            new Times(
                times.createdAt(),
                times.dueAt(),
                times.retrySince(),
                request.start() ? now : null,
                null,
                now),
            before.progress(),
            Ending.NONE);
    Instant timesOutAt = request.start() ? Row.timesOutAt(before.definition(), now) : null;
    database.tasks.put(new Row(task, leaseUntil(), timesOutAt));
    return new Lease(task, before.ending().failureKind());
  }

  /** What a handle is bound to is the first lease of the attempt, over all that follow. */
  private Custody custody(Task before) {
    long epoch = before.epoch() + 1;
    Long handleEpoch = before.handleEpoch();
    if (before.definition().lane() != null && handleEpoch == null) {
      handleEpoch = epoch;
    }
    return new Custody(epoch, request.holder().worker(), handleEpoch, null);
  }

  private @Nullable Instant leaseUntil() {
    return switch (request.holder()) {
      case Holder.OfNode node -> null;
      case Holder.OfWorker worker -> now.plus(worker.lease());
    };
  }

  private @Nullable Duration nextDue() {
    if (free.keySet().stream().anyMatch(kind -> queue(kind).first(now) != null)) {
      return null;
    }
    return free.keySet().stream()
        .map(kind -> queue(kind).nextDue())
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .map(due -> Duration.between(now, due))
        .orElse(null);
  }

  private KindQueue queue(String kind) {
    return database.tasks.queue(kind);
  }
}

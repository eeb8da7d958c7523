// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.LimitedClaim;
import dev.perdure.engine.spi.Observers;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One claim on the in-memory store. */
final class InMemoryClaim {

  /** When to come back for something that another claim may be doing. */
  private static final Duration SHORTLY = Duration.ofMillis(20);

  private final InMemoryDatabase database;
  private final ClaimRequest request;
  private final Instant now;
  private final Map<String, Integer> freeSlots = new LinkedHashMap<>();

  private boolean moreLimited;

  InMemoryClaim(InMemoryDatabase database, ClaimRequest request) {
    this.database = database;
    this.request = request;
    this.now = database.now();
    for (QueueCapacity capacity : request.queues()) {
      if (capacity.free() > 0) {
        freeSlots.merge(capacity.queue(), capacity.free(), Integer::sum);
        queue(capacity.queue()).promoteDue(now);
      }
    }
  }

  ClaimResult claim() {
    if (!isOwnerAlive()) {
      return new ClaimResult(List.of(), now, null);
    }
    List<Lease> leases = new ArrayList<>();
    new InMemoryKindLimits(database.tasks, now).updateDue(freeSlots.keySet());
    // In turn, so that neither keeps the other from being claimed.
    boolean limitedFirst = database.limitedFirst();
    if (limitedFirst) {
      claimLimited(leases);
    }
    claimUnlimited(leases);
    if (!limitedFirst) {
      claimLimited(leases);
    }
    return new ClaimResult(leases, now, nextDue());
  }

  private void claimUnlimited(List<Lease> leases) {
    Optional<StoredTask> row = first();
    while (leases.size() < request.limit() && row.isPresent()) {
      leases.add(lease(row.get()));
      freeSlots.merge(row.get().queue(), -1, Integer::sum);
      row = first();
    }
  }

  private void claimLimited(List<Lease> leases) {
    for (int shard = 0; shard < database.shards && leases.size() < request.limit(); shard++) {
      List<QueueCapacity> queues = freeQueues();
      Set<String> names = queues.stream().map(QueueCapacity::queue).collect(Collectors.toSet());
      InMemoryLimitTables tables =
          new InMemoryLimitTables(database.tasks, shard, names, now, this::lease);
      LimitedClaim.Claimed claimed =
          new LimitedClaim<>(tables, queues, request.limit() - leases.size()).run();
      claimed
          .leases()
          .forEach(one -> freeSlots.merge(one.task().definition().queueOrKind(), -1, Integer::sum));
      leases.addAll(claimed.leases());
      moreLimited |= claimed.more();
    }
  }

  private List<QueueCapacity> freeQueues() {
    return freeSlots.entrySet().stream()
        .filter(capacity -> capacity.getValue() > 0)
        .map(capacity -> new QueueCapacity(capacity.getKey(), capacity.getValue()))
        .toList();
  }

  private boolean isOwnerAlive() {
    return switch (request.owner()) {
      case LeaseOwner.NodeOwner node -> database.nodes.isAlive(node.node(), now);
      case LeaseOwner.RemoteOwner worker -> true;
    };
  }

  /** Returns the first due task of the queues that still have a free slot. */
  private Optional<StoredTask> first() {
    return freeSlots.entrySet().stream()
        .filter(capacity -> capacity.getValue() > 0)
        .map(capacity -> queue(capacity.getKey()).first(now))
        .filter(Objects::nonNull)
        .min(StoredTask.CLAIM_ORDER);
  }

  private Lease lease(StoredTask storedTask) {
    Task before = storedTask.task();
    TaskTimes taskTimes = before.times();
    Task task =
        new Task(
            before.id(),
            before.batch(),
            before.run(),
            before.definition(),
            request.startNow() ? TaskState.RUNNING : TaskState.CLAIMED,
            before.hold(),
            before.epoch() + 1,
            request.owner().worker(),
            handleEpoch(before),
            null,
            before.retryCounters(),
            new TaskTimes(
                taskTimes.createdAt(),
                taskTimes.dueAt(),
                taskTimes.retrySince(),
                request.startNow() ? now : null,
                null,
                now),
            before.progress(),
            LastResult.NONE,
            before.dependencies());
    Instant timesOutAt =
        request.startNow() ? StoredTask.timesOutAt(before.definition(), now) : null;
    database.tasks.put(new StoredTask(task, leaseUntil(), timesOutAt));
    return new Lease(
        task,
        before.lastResult().failureKind(),
        (database.tasks.observers(task.id()) & Observers.HAS_PARENTS) != 0);
  }

  /** A handle is bound to the first lease of an attempt and stays valid for its later leases. */
  private static @Nullable Long handleEpoch(Task before) {
    boolean first = before.definition().queue() != null && before.handleEpoch() == null;
    return first ? Long.valueOf(before.epoch() + 1) : before.handleEpoch();
  }

  private @Nullable Instant leaseUntil() {
    return switch (request.owner()) {
      case LeaseOwner.NodeOwner node -> null;
      case LeaseOwner.RemoteOwner worker -> now.plus(worker.lease());
    };
  }

  private @Nullable Duration nextDue() {
    if (freeSlots.keySet().stream().anyMatch(queue -> queue(queue).first(now) != null)) {
      return null;
    }
    if (moreLimited) {
      return SHORTLY;
    }
    Set<String> queues = freeSlots.keySet();
    Instant look = InMemoryLimitTables.nextLook(database.tasks, queues, now);
    return Stream.concat(
            Stream.ofNullable(look), queues.stream().map(queue -> queue(queue).nextDue()))
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .map(due -> due.isAfter(now) ? Duration.between(now, due) : SHORTLY)
        .orElse(null);
  }

  private ClaimQueue queue(String queue) {
    return database.tasks.queue(queue);
  }
}

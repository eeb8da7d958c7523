// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.Deduplication.KeyHolder;
import dev.perdure.engine.spi.Observers;
import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.spi.StoredParents;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.testing.internal.GraphRules;
import dev.perdure.testing.internal.LimitAccounting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All tasks with their attempts, and indexes for the store's queries. */
final class TaskTable {

  private static final Comparator<StoredTask> BY_DEADLINE =
      Comparator.comparing((StoredTask storedTask) -> storedTask.definition().deadline())
          .thenComparing(StoredTask.BY_ID);

  private final Map<UUID, StoredTask> storedTasks = new HashMap<>();
  private final Map<UUID, List<Attempt>> attempts = new HashMap<>();
  private final Map<UUID, List<UUID>> batches = new LinkedHashMap<>();
  private final Set<UUID> deleting = new LinkedHashSet<>();
  private final DeliveryTable deliveries = new DeliveryTable();
  private final DependencyTable dependencies = new DependencyTable();
  private final RunTable runs = new RunTable();
  private final LimitTable limits;
  private final Map<UUID, Integer> observers = new HashMap<>();
  private final Map<UUID, UUID> copies = new HashMap<>();
  private final Map<DedupeKey, UUID> dedupeKeys = new HashMap<>();
  private final Map<UUID, BatchDefinition> definitions = new HashMap<>();
  private final Map<UUID, Instant> stopped = new HashMap<>();
  private final Map<String, ClaimQueue> queues = new HashMap<>();

  private final TaskIndex all = new TaskIndex(storedTask -> true, StoredTask.NEWEST_FIRST);
  private final TaskIndex leased = new TaskIndex(StoredTask::isLeased, StoredTask.BY_ID);
  private final TaskIndex withDeadline =
      new TaskIndex(
          storedTask -> storedTask.state().isLive() && storedTask.definition().deadline() != null,
          BY_DEADLINE);
  private final List<TaskIndex> indexes = List.of(all, leased, withDeadline);

  private final GraphRules rules;

  private record DedupeKey(int shard, String key) {}

  TaskTable(GraphRules rules, LimitAccounting accounting) {
    this.rules = rules;
    this.limits = new LimitTable(accounting);
  }

  GraphRules rules() {
    return rules;
  }

  @Nullable StoredTask find(UUID id) {
    return storedTasks.get(id);
  }

  boolean hasBatch(UUID batch) {
    return batches.containsKey(batch);
  }

  /** Returns the ids of the batch's tasks that still exist, in submission order. */
  List<UUID> idsOfBatch(UUID batch) {
    return batches.getOrDefault(batch, List.of()).stream()
        .filter(id -> existing(id).task().run() == 0)
        .toList();
  }

  void add(StoredTask storedTask) {
    batches
        .computeIfAbsent(storedTask.task().batch(), batch -> new ArrayList<>())
        .add(storedTask.id());
    put(storedTask);
  }

  /** Stores the task in place of its previous version. */
  void put(StoredTask storedTask) {
    removeFromIndexes(storedTasks.put(storedTask.id(), storedTask));
    indexes.forEach(taskIndex -> taskIndex.add(storedTask));
    DedupeKey key = dedupeKey(storedTask);
    if (key != null && dedupeKeys.put(key, storedTask.id()) != null) {
      throw new IllegalStateException("two live tasks have the key " + key);
    }
    if (storedTask.isClaimable()) {
      queue(storedTask.queue()).add(storedTask);
    }
    if (storedTask.waitsForLimit()) {
      limits.startWaiting(storedTask);
    }
  }

  private void removeFromIndexes(@Nullable StoredTask storedTask) {
    if (storedTask == null) {
      return;
    }
    indexes.forEach(taskIndex -> taskIndex.remove(storedTask));
    dedupeKeys.remove(dedupeKey(storedTask));
    if (storedTask.isClaimable()) {
      queue(storedTask.queue()).remove(storedTask);
    }
    if (storedTask.waitsForLimit()) {
      limits.stopWaiting(storedTask);
    }
  }

  /** Returns null when the task has no key, or has ended. */
  private @Nullable DedupeKey dedupeKey(StoredTask storedTask) {
    String key = storedTask.definition().dedupeKey();
    return key == null || !rules.holdsDedupeKey(storedTask.task())
        ? null
        : new DedupeKey(Shards.of(storedTask.id()), key);
  }

  /** Returns the live task that has the key. */
  @Nullable KeyHolder holder(int shard, String dedupeKey) {
    UUID id = dedupeKeys.get(new DedupeKey(shard, dedupeKey));
    return id == null ? null : holder(existing(id).task());
  }

  private KeyHolder holder(Task task) {
    return new KeyHolder(
        task.id(), task.batch(), task.state(), definition(task.batch()).policy() != null);
  }

  /** Returns the live tasks that have these keys, by key. */
  Map<String, KeyHolder> holders(int shard, Collection<String> keys) {
    Map<String, KeyHolder> found = new HashMap<>();
    for (String key : keys) {
      KeyHolder holder = holder(shard, key);
      if (holder != null) {
        found.put(key, holder);
      }
    }
    return found;
  }

  DeliveryTable deliveries() {
    return deliveries;
  }

  DependencyTable dependencies() {
    return dependencies;
  }

  RunTable runs() {
    return runs;
  }

  LimitTable limits() {
    return limits;
  }

  /** Stores the task with other limits. */
  void replaceLimits(StoredTask storedTask, List<TaskLimit> newLimits, Instant now) {
    removeFromIndexes(storedTasks.get(storedTask.id()));
    limits.replace(storedTask, newLimits, now);
    storedTasks.remove(storedTask.id());
    put(storedTask);
  }

  /** The same for new limits of its kind. */
  void updateLimits(StoredTask storedTask, List<TaskLimit> newLimits, Instant now) {
    removeFromIndexes(storedTasks.get(storedTask.id()));
    limits.update(storedTask, newLimits, now);
    storedTasks.remove(storedTask.id());
    put(storedTask);
  }

  /** Marks who must learn of the end of the task. */
  void observe(UUID task, int bits) {
    observers.put(task, bits);
  }

  int observers(UUID task) {
    return observers.getOrDefault(task, 0);
  }

  /** Records that a task of the next run is the copy of this one. */
  void supersede(UUID task, UUID copy) {
    copies.put(task, copy);
  }

  /** The parents that are not part of a submission, and the tasks that superseded them. */
  StoredParents storedParents(Collection<UUID> parents) {
    Map<UUID, ParentStatus> statuses = new HashMap<>();
    Map<UUID, UUID> superseded = new HashMap<>();
    for (UUID parent : parents) {
      UUID id = parent;
      for (UUID copy = copies.get(id); copy != null; copy = copies.get(id)) {
        superseded.put(id, copy);
        id = copy;
      }
      if (storedTasks.containsKey(id)) {
        statuses.put(id, parentStatus(id));
      }
    }
    return new StoredParents(statuses, superseded);
  }

  private ParentStatus parentStatus(UUID id) {
    Task task = existing(id).task();
    ParentStatus status = ParentStatus.of(task);
    return new ParentStatus(
        status.state(),
        status.upstreamFailed(),
        status.counts(),
        observers(id) | (definition(task.batch()).policy() != null ? Observers.MAY_RUN_AGAIN : 0));
  }

  void define(UUID batch, BatchDefinition definition) {
    definitions.put(batch, definition);
  }

  BatchDefinition definition(UUID batch) {
    return definitions.getOrDefault(batch, BatchDefinition.NONE);
  }

  void unstop(UUID batch) {
    stopped.remove(batch);
  }

  void markStopped(UUID batch, Instant now) {
    stopped.putIfAbsent(batch, now);
  }

  @Nullable Instant stoppedAt(UUID batch) {
    return stopped.get(batch);
  }

  ClaimQueue queue(String queue) {
    return queues.computeIfAbsent(queue, name -> new ClaimQueue());
  }

  void record(Attempt attempt) {
    attempts.computeIfAbsent(attempt.task(), task -> new ArrayList<>()).add(attempt);
  }

  /** Returns the attempts of a task, oldest first. */
  List<Attempt> attempts(UUID task) {
    return attempts.getOrDefault(task, List.of());
  }

  /** Returns the record of this epoch's lease, or null if the lease has not ended. */
  @Nullable Attempt attempt(UUID task, long epoch) {
    List<Attempt> ended = attempts(task);
    return ended.isEmpty() || ended.getLast().epoch() != epoch ? null : ended.getLast();
  }

  Stream<StoredTask> newestFirst() {
    return all.rows();
  }

  Stream<StoredTask> leased() {
    return leased.rows();
  }

  /** Returns the live tasks with a deadline, earliest first. */
  Stream<StoredTask> byDeadline() {
    return withDeadline.rows();
  }

  List<UUID> batches() {
    return List.copyOf(batches.keySet());
  }

  List<StoredTask> batch(UUID batch) {
    return batches.getOrDefault(batch, List.of()).stream().map(this::existing).toList();
  }

  /** Marks the batch for deletion. Its tasks can no longer be revived. */
  void markForDeletion(UUID batch) {
    deleting.add(batch);
  }

  boolean isBeingDeleted(UUID batch) {
    return deleting.contains(batch);
  }

  /** Deletes up to {@code limit} ended tasks of marked batches and returns how many it deleted. */
  int deleteMarked(int limit) {
    int deleted = 0;
    for (UUID batch : List.copyOf(deleting)) {
      List<UUID> next = ended(batch).limit(limit - deleted).toList();
      next.forEach(this::delete);
      deleted += next.size();
      if (ended(batch).findAny().isEmpty()) {
        deleting.remove(batch);
      }
    }
    batches.values().removeIf(List::isEmpty);
    return deleted;
  }

  private Stream<UUID> ended(UUID batch) {
    return batch(batch).stream()
        .filter(storedTask -> storedTask.state().isTerminal())
        .map(StoredTask::id)
        .filter(id -> !dependencies.hasEvent(id));
  }

  private void delete(UUID id) {
    StoredTask storedTask = existing(id);
    removeFromIndexes(storedTasks.remove(id));
    attempts.remove(id);
    deliveries.deleteOf(id);
    dependencies.deleteOf(id);
    copies.remove(id);
    limits.delete(id);
    batches.getOrDefault(storedTask.task().batch(), new ArrayList<>()).remove(id);
  }

  StoredTask existing(UUID id) {
    StoredTask storedTask = storedTasks.get(id);
    if (storedTask == null) {
      throw new IllegalStateException("a batch refers to a missing task: " + id);
    }
    return storedTask;
  }
}

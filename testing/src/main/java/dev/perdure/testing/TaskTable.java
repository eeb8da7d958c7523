// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.task.Attempt;
import java.util.ArrayList;
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

/** All tasks with their attempts, and the indexes that keep each question cheap. */
final class TaskTable {

  private static final Comparator<StoredTask> BY_DEADLINE =
      Comparator.comparing((StoredTask storedTask) -> storedTask.definition().deadline())
          .thenComparing(StoredTask.BY_ID);

  private final Map<UUID, StoredTask> storedTasks = new HashMap<>();
  private final Map<UUID, List<Attempt>> attempts = new HashMap<>();
  private final Map<UUID, List<UUID>> batches = new LinkedHashMap<>();
  private final Set<UUID> deleting = new LinkedHashSet<>();
  private final DeliveryTable deliveries = new DeliveryTable();
  private final Map<String, ClaimQueue> queues = new HashMap<>();

  private final TaskIndex all = new TaskIndex(storedTask -> true, StoredTask.NEWEST_FIRST);
  private final TaskIndex held = new TaskIndex(StoredTask::isHeld, StoredTask.BY_ID);
  private final TaskIndex withDeadline =
      new TaskIndex(
          storedTask -> storedTask.state().isLive() && storedTask.definition().deadline() != null,
          BY_DEADLINE);
  private final List<TaskIndex> indexes = List.of(all, held, withDeadline);

  @Nullable StoredTask find(UUID id) {
    return storedTasks.get(id);
  }

  boolean hasBatch(UUID batch) {
    return batches.containsKey(batch);
  }

  /** The batch's tasks that still exist, in the order of their submission. */
  List<UUID> idsOfBatch(UUID batch) {
    return batches.getOrDefault(batch, List.of()).stream()
        .filter(storedTasks::containsKey)
        .toList();
  }

  void add(StoredTask storedTask) {
    batches
        .computeIfAbsent(storedTask.task().batch(), batch -> new ArrayList<>())
        .add(storedTask.id());
    put(storedTask);
  }

  /** Puts the row in the place of the one before. */
  void put(StoredTask storedTask) {
    removeFromIndexes(storedTasks.put(storedTask.id(), storedTask));
    indexes.forEach(taskIndex -> taskIndex.add(storedTask));
    if (storedTask.isClaimable()) {
      queue(storedTask.queue()).add(storedTask);
    }
  }

  private void removeFromIndexes(@Nullable StoredTask storedTask) {
    if (storedTask == null) {
      return;
    }
    indexes.forEach(taskIndex -> taskIndex.remove(storedTask));
    if (storedTask.isClaimable()) {
      queue(storedTask.queue()).remove(storedTask);
    }
  }

  DeliveryTable deliveries() {
    return deliveries;
  }

  ClaimQueue queue(String kind) {
    return queues.computeIfAbsent(kind, unseen -> new ClaimQueue());
  }

  void record(Attempt attempt) {
    attempts.computeIfAbsent(attempt.task(), task -> new ArrayList<>()).add(attempt);
  }

  /** Oldest first. */
  List<Attempt> attempts(UUID task) {
    return attempts.getOrDefault(task, List.of());
  }

  /** The record that the lease of this epoch left, if it has ended. */
  @Nullable Attempt attempt(UUID task, long epoch) {
    List<Attempt> ended = attempts(task);
    return ended.isEmpty() || ended.getLast().epoch() != epoch ? null : ended.getLast();
  }

  Stream<StoredTask> newestFirst() {
    return all.rows();
  }

  Stream<StoredTask> held() {
    return held.rows();
  }

  /** The live tasks that have a deadline, the nearest first. */
  Stream<StoredTask> byDeadline() {
    return withDeadline.rows();
  }

  List<UUID> batches() {
    return List.copyOf(batches.keySet());
  }

  List<StoredTask> batch(UUID batch) {
    return batches.getOrDefault(batch, List.of()).stream().map(this::existing).toList();
  }

  /** From now on the batch is only deleted. */
  void markForDeletion(UUID batch) {
    deleting.add(batch);
  }

  boolean isBeingDeleted(UUID batch) {
    return deleting.contains(batch);
  }

  /** Deletes so many ended tasks of the batches that go; tells how many there were. */
  int deleteMarked(int limit) {
    int deleted = 0;
    for (UUID batch : List.copyOf(deleting)) {
      List<UUID> piece = ended(batch).limit(limit - deleted).toList();
      piece.forEach(this::delete);
      deleted += piece.size();
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
        .map(StoredTask::id);
  }

  private void delete(UUID id) {
    StoredTask storedTask = existing(id);
    removeFromIndexes(storedTasks.remove(id));
    attempts.remove(id);
    deliveries.deleteOf(id);
    batches.getOrDefault(storedTask.task().batch(), new ArrayList<>()).remove(id);
  }

  private StoredTask existing(UUID id) {
    StoredTask storedTask = storedTasks.get(id);
    if (storedTask == null) {
      throw new IllegalStateException("a batch names a task that is not there: " + id);
    }
    return storedTask;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

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

  private static final Comparator<Row> BY_DEADLINE =
      Comparator.comparing((Row row) -> row.definition().deadline()).thenComparing(Row.BY_ID);

  private final Map<UUID, Row> rows = new HashMap<>();
  private final Map<UUID, List<Attempt>> attempts = new HashMap<>();
  private final Map<UUID, List<UUID>> batches = new LinkedHashMap<>();
  private final Set<UUID> going = new LinkedHashSet<>();
  private final DeliveryTable deliveries = new DeliveryTable();
  private final Map<String, KindQueue> queues = new HashMap<>();

  private final Index all = new Index(row -> true, Row.NEWEST_FIRST);
  private final Index held = new Index(Row::isHeld, Row.BY_ID);
  private final Index mortal =
      new Index(row -> row.state().isLive() && row.definition().deadline() != null, BY_DEADLINE);
  private final List<Index> indexes = List.of(all, held, mortal);

  @Nullable Row find(UUID id) {
    return rows.get(id);
  }

  boolean hasBatch(UUID batch) {
    return batches.containsKey(batch);
  }

  void add(Row row) {
    batches.computeIfAbsent(row.task().batch(), batch -> new ArrayList<>()).add(row.id());
    put(row);
  }

  /** Puts the row in the place of the one before. */
  void put(Row row) {
    takeOut(rows.put(row.id(), row));
    indexes.forEach(index -> index.add(row));
    if (row.isClaimable()) {
      queue(row.claimedAs()).add(row);
    }
  }

  private void takeOut(@Nullable Row row) {
    if (row == null) {
      return;
    }
    indexes.forEach(index -> index.remove(row));
    if (row.isClaimable()) {
      queue(row.claimedAs()).remove(row);
    }
  }

  DeliveryTable deliveries() {
    return deliveries;
  }

  KindQueue queue(String kind) {
    return queues.computeIfAbsent(kind, unseen -> new KindQueue());
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

  Stream<Row> newestFirst() {
    return all.rows();
  }

  Stream<Row> held() {
    return held.rows();
  }

  /** The live tasks that have a deadline, the nearest first. */
  Stream<Row> byDeadline() {
    return mortal.rows();
  }

  List<UUID> batches() {
    return List.copyOf(batches.keySet());
  }

  List<Row> batch(UUID batch) {
    return batches.getOrDefault(batch, List.of()).stream().map(this::existing).toList();
  }

  /** From now on the batch is only deleted. */
  void letGo(UUID batch) {
    going.add(batch);
  }

  boolean isGoing(UUID batch) {
    return going.contains(batch);
  }

  /** Deletes so many ended tasks of the batches that go; tells how many there were. */
  int deleteGoing(int limit) {
    int deleted = 0;
    for (UUID batch : List.copyOf(going)) {
      List<UUID> piece = ended(batch).limit(limit - deleted).toList();
      piece.forEach(this::delete);
      deleted += piece.size();
      if (ended(batch).findAny().isEmpty()) {
        going.remove(batch);
      }
    }
    batches.values().removeIf(List::isEmpty);
    return deleted;
  }

  private Stream<UUID> ended(UUID batch) {
    return batch(batch).stream().filter(row -> row.state().isTerminal()).map(Row::id);
  }

  private void delete(UUID id) {
    Row row = existing(id);
    takeOut(rows.remove(id));
    attempts.remove(id);
    deliveries.deleteOf(id);
    batches.getOrDefault(row.task().batch(), new ArrayList<>()).remove(id);
  }

  private Row existing(UUID id) {
    Row row = rows.get(id);
    if (row == null) {
      throw new IllegalStateException("a batch names a task that is not there: " + id);
    }
    return row;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.testing.internal.LimitAccounting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The limits, their events, and which tasks have them and wait for them. */
final class LimitTable {

  /** The key of a limit; limits of different shards are different limits. */
  record LimitKey(int shard, String text) implements Comparable<LimitKey> {
    @Override
    public int compareTo(LimitKey other) {
      return shard == other.shard
          ? text.compareTo(other.text)
          : Integer.compare(shard, other.shard);
    }
  }

  /**
   * What happened to a limit.
   *
   * @param freed how many tasks stopped running
   * @param rule how much the limit allows, if a submission says so
   */
  record Event(LimitKey key, String queue, int freed, @Nullable LimitRule rule, Instant at) {}

  /** Larger numbers of items count as this one, so that sums and differences do not overflow. */
  private static final long MAX_ITEMS = 4_000_000_000_000_000_000L;

  private final Map<UUID, List<TaskLimit>> limitsByTask = new HashMap<>();
  private final Map<UUID, String> waitsFor = new HashMap<>();
  private final Map<UUID, Long> workBase = new HashMap<>();
  private final Map<LimitKey, NavigableSet<StoredTask>> waiting = new HashMap<>();
  private final Map<LimitKey, LimitRow> rows = new TreeMap<>();
  private final Map<LimitKey, Instant> changedAt = new HashMap<>();
  private final List<Event> events = new ArrayList<>();
  private final Map<String, KindLimit> kinds = new TreeMap<>();
  private final LimitAccounting accounting;

  LimitTable(LimitAccounting accounting) {
    this.accounting = accounting;
  }

  /** The limits of kinds, which are the same in all shards. */
  Map<String, KindLimit> kinds() {
    return kinds;
  }

  LimitAccounting accounting() {
    return accounting;
  }

  /** Records the limits of a new task; it waits for the first of them. */
  void add(UUID task, List<TaskLimit> limits) {
    if (!limits.isEmpty()) {
      limitsByTask.put(task, List.copyOf(limits));
      waitsFor.put(task, limits.getFirst().key());
    }
  }

  /**
   * Gives the task other limits. A leased one leaves its places in the old limits and takes places
   * in the new ones, also where there are none.
   */
  void replace(StoredTask task, List<TaskLimit> newLimits, Instant now) {
    exchange(task, newLimits, now);
    submitted(task, now);
  }

  /** The same for new limits of its kind, which say nothing about the other limits of the task. */
  void update(StoredTask task, List<TaskLimit> newLimits, Instant now) {
    exchange(task, newLimits, now);
    changed(task, 0, now);
  }

  private void exchange(StoredTask task, List<TaskLimit> newLimits, Instant now) {
    Set<String> old = keys(limits(task.id()));
    limitsByTask.remove(task.id());
    waitsFor.remove(task.id());
    add(task.id(), newLimits);
    if (task.isLeased()) {
      Set<String> added = keys(newLimits);
      old.stream()
          .filter(key -> !added.contains(key) && accounting.leavesOldLimits())
          .forEach(key -> freed(task, key, 1, now));
      newLimits.stream()
          .filter(limit -> !old.contains(limit.key()) && accounting.entersNewLimits())
          .forEach(limit -> occupy(task, limit, now));
    }
  }

  private void occupy(StoredTask task, TaskLimit limit, Instant now) {
    LimitKey key = new LimitKey(Shards.of(task.id()), limit.key());
    LimitRow row = rows.get(key);
    put(
        key,
        row == null
            ? new LimitRow(limit.key(), task.queue(), limit.rule(), 1, null, now)
            : withUsed(row, row.used() + 1),
        now);
  }

  private static LimitRow withUsed(LimitRow row, long used) {
    return new LimitRow(row.key(), row.queue(), row.rule(), used, row.nextStart(), row.lookAt());
  }

  private static Set<String> keys(List<TaskLimit> limits) {
    return limits.stream().map(TaskLimit::key).collect(Collectors.toCollection(TreeSet::new));
  }

  private void freed(StoredTask task, String key, int places, Instant now) {
    LimitKey limit = new LimitKey(Shards.of(task.id()), key);
    events.add(new Event(limit, task.queue(), places, null, now));
  }

  List<TaskLimit> limits(UUID task) {
    return limitsByTask.getOrDefault(task, List.of());
  }

  /** Makes the task wait for another of its limits. */
  void move(StoredTask task, String limit) {
    stopWaiting(task);
    waitsFor.put(task.id(), limit);
    startWaiting(task);
  }

  void startWaiting(StoredTask task) {
    waiting.computeIfAbsent(key(task), key -> new TreeSet<>(StoredTask.CLAIM_ORDER)).add(task);
  }

  void stopWaiting(StoredTask task) {
    waiting(key(task)).remove(task);
  }

  private LimitKey key(StoredTask task) {
    return new LimitKey(Shards.of(task.id()), waitsFor(task.id()));
  }

  /** The key of the limit that the task waits for, or waited for last. */
  String waitsFor(UUID task) {
    return waitsFor.getOrDefault(task, "");
  }

  /** The tasks that wait for the limit, in the order in which they are claimed. */
  NavigableSet<StoredTask> waiting(LimitKey key) {
    return waiting.getOrDefault(key, new TreeSet<>(StoredTask.CLAIM_ORDER));
  }

  void delete(UUID task) {
    limitsByTask.remove(task);
    waitsFor.remove(task);
    workBase.remove(task);
  }

  /** An attempt begins: what the task has to do is counted from here. */
  void beginAttempt(UUID task, Progress progress) {
    workBase.put(task, items(progress));
  }

  /** A handler says how many items its attempt has done: only those count. */
  void report(UUID task, Progress progress) {
    workBase.put(task, Math.min(progress.failures(), MAX_ITEMS));
  }

  /** How many items the attempt of the task still has to do. */
  long work(StoredTask task) {
    Progress progress = task.task().progress();
    Long expected = progress.expected();
    long done = items(progress) - workBase.getOrDefault(task.id(), 0L);
    return expected == null ? 0 : Math.max(0, Math.min(expected, MAX_ITEMS) - done);
  }

  private static long items(Progress progress) {
    return Math.min(progress.success(), MAX_ITEMS) + Math.min(progress.failures(), MAX_ITEMS);
  }

  /** Records that a submission uses the limits of a task, and how much they allow. */
  void submitted(StoredTask task, Instant now) {
    for (TaskLimit limit : limits(task.id())) {
      LimitKey key = new LimitKey(Shards.of(task.id()), limit.key());
      events.add(new Event(key, task.queue(), 0, limit.rule(), now));
    }
  }

  /** Records that the task stopped running, or waits from now on. */
  void changed(StoredTask task, int freed, Instant now) {
    limits(task.id()).forEach(limit -> freed(task, limit.key(), freed, now));
  }

  /** Frees the places of the task, but lets no claim know. */
  void freeUnnoticed(StoredTask task) {
    for (TaskLimit limit : limits(task.id())) {
      LimitKey key = new LimitKey(Shards.of(task.id()), limit.key());
      rows.computeIfPresent(key, (same, row) -> withUsed(row, Math.max(0, row.used() - 1)));
    }
  }

  List<Event> events() {
    return events;
  }

  /** Stores what a claim decided about a limit. */
  void put(LimitKey key, LimitRow row, Instant now) {
    rows.put(key, row);
    changedAt.put(key, now);
  }

  Instant changedAt(LimitKey key) {
    return changedAt.getOrDefault(key, Instant.EPOCH);
  }

  Map<LimitKey, LimitRow> rows() {
    return rows;
  }
}

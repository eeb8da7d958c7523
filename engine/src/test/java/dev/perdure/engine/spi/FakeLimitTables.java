// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Limits as a test sets them up, and what a claim wrote. */
final class FakeLimitTables implements LimitTables<RuntimeException> {

  final Instant now;
  final List<OpenLimit> open = new ArrayList<>();

  /** Limits that are not open but can be locked. */
  final Map<String, LimitRow> others = new HashMap<>();

  /** The place of the first task that waits for such a limit. */
  final Map<String, Instant> firstWaiting = new HashMap<>();

  final Map<String, Long> work = new HashMap<>();
  final Map<String, LaterTasks> later = new HashMap<>();
  final Map<String, List<WaitingTask>> behind = new HashMap<>();
  boolean skipped;
  KindLimits kinds = KindLimits.NONE;
  final List<UUID> updated = new ArrayList<>();

  int maxTasks;
  final Map<UUID, String> moved = new HashMap<>();
  final List<UUID> chosen = new ArrayList<>();
  final Map<String, LimitUpdate> updates = new HashMap<>();

  FakeLimitTables(Instant now) {
    this.now = now;
  }

  @Override
  public OpenLimits open(int maxLimits, int maxTasksOfEach) {
    maxTasks = maxTasksOfEach;
    return new OpenLimits(now, open, skipped, kinds);
  }

  @Override
  public List<WaitingTask> waiting(String key, int maxTasksOfLimit) {
    return behind.getOrDefault(key, List.of());
  }

  @Override
  public Map<String, LaterTasks> later(Map<LimitRow, Integer> limits) {
    return later;
  }

  @Override
  public Map<String, OtherLimit> lock(Map<String, UUID> taskByKey) {
    Map<String, OtherLimit> locked = new HashMap<>();
    others.forEach((key, row) -> locked.put(key, new OtherLimit(row, firstWaiting.get(key))));
    locked.keySet().retainAll(taskByKey.keySet());
    return locked;
  }

  @Override
  public Map<String, Long> work(Collection<String> keys) {
    Map<String, Long> found = new HashMap<>(work);
    found.keySet().retainAll(keys);
    return found;
  }

  @Override
  public Map<UUID, String> metadata(Collection<UUID> tasks) {
    return Map.of();
  }

  @Override
  public void updateLimits(Collection<UUID> tasks) {
    updated.addAll(tasks);
  }

  @Override
  public void move(Map<UUID, String> limitByTask) {
    moved.putAll(limitByTask);
  }

  @Override
  public List<Lease> take(List<WaitingTask> tasks, List<LimitUpdate> limits) {
    tasks.forEach(task -> chosen.add(task.id()));
    limits.forEach(limit -> updates.put(limit.limit().key(), limit));
    return List.of();
  }
}

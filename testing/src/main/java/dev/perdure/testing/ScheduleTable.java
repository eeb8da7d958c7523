// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Schedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Schedules, their last firings and the batches that they have submitted. */
final class ScheduleTable {

  /** A schedule, and when a node looks at it. */
  record StoredSchedule(Schedule schedule, @Nullable Instant lookAt) {}

  private final Map<UUID, StoredSchedule> schedules = new LinkedHashMap<>();
  private final Map<UUID, List<Firing>> firings = new HashMap<>();
  private final Map<UUID, Set<UUID>> batches = new HashMap<>();

  Stream<Schedule> all() {
    return schedules.values().stream().map(StoredSchedule::schedule);
  }

  void put(Schedule schedule, @Nullable Instant lookAt) {
    schedules.put(schedule.id(), new StoredSchedule(schedule, lookAt));
  }

  boolean delete(UUID id) {
    firings.remove(id);
    return schedules.remove(id) != null;
  }

  Stream<StoredSchedule> due(Instant now) {
    return schedules.values().stream()
        .filter(one -> StoredTask.isReached(one.lookAt(), now))
        .sorted(Comparator.comparing(one -> Objects.requireNonNull(one.lookAt())));
  }

  Optional<Instant> nextLook() {
    return schedules.values().stream()
        .flatMap(one -> Stream.ofNullable(one.lookAt()))
        .min(Comparator.naturalOrder());
  }

  /** The firings in their order; the list can be changed. */
  List<Firing> firings(UUID schedule) {
    return firings.computeIfAbsent(schedule, none -> new ArrayList<>());
  }

  /** Adds a firing. One that was queued before is replaced, and stands for as many as before. */
  void add(UUID schedule, Firing firing) {
    List<Firing> all = firings(schedule);
    Firing queued =
        all.stream()
            .filter(
                other ->
                    other.scheduledFor().equals(firing.scheduledFor())
                        && other.manual() == firing.manual()
                        && other.outcome() == Firing.Outcome.QUEUED)
            .findFirst()
            .orElse(null);
    all.remove(queued);
    all.add(queued == null ? firing : firing.withMissed(queued.missed()));
    all.sort(Comparator.comparing(Firing::scheduledFor).thenComparing(Firing::manual));
  }

  /** Keeps the last firings, and those that are queued. */
  void prune(UUID schedule, int kept) {
    List<Firing> all = firings(schedule);
    List<Firing> old = List.copyOf(all.subList(0, Math.max(0, all.size() - kept - 1)));
    all.removeIf(one -> old.contains(one) && one.outcome() != Firing.Outcome.QUEUED);
  }

  void add(UUID schedule, UUID batch) {
    batches.computeIfAbsent(schedule, none -> new LinkedHashSet<>()).add(batch);
  }

  Set<UUID> batches(UUID schedule) {
    return batches.getOrDefault(schedule, Set.of());
  }

  /** The schedule that submitted the batch; null if none did. */
  @Nullable UUID scheduleOf(UUID batch) {
    return batches.entrySet().stream()
        .filter(entry -> entry.getValue().contains(batch))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }
}

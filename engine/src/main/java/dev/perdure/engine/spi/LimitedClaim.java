// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.spi.LimitTables.LimitUpdate;
import dev.perdure.engine.spi.LimitTables.OpenLimit;
import dev.perdure.engine.spi.LimitTables.OpenLimits;
import dev.perdure.engine.spi.LimitTables.WaitingTask;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LimitType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One transaction that claims tasks that have limits. All stores decide with it.
 *
 * <p>A task with limits is never in the index of ordinary tasks. It waits for one of its limits, in
 * the order of the claims. A claim locks the row of a limit before it counts, so no two claims use
 * the same room. The ends of tasks do not touch that row: they record an event, and the next claim
 * that locks the row applies it. So what a limit has in use is never less than what runs, nothing
 * waits for a claim, and a limit that is reached costs nothing until there is an event.
 *
 * <p>Limits are served in turn, one task of each at a time. A task that another of its limits holds
 * back moves to that limit, so it is not in the way of the tasks behind it.
 *
 * @param <X> what the tables throw when the database fails
 */
public final class LimitedClaim<X extends Exception> {

  /** Maximum number of limits that one claim looks at. */
  public static final int MAX_LIMITS = 100;

  /** Maximum number of events of one queue that one claim applies. */
  public static final int MAX_EVENTS = 500;

  /** Also with fewer free slots: smaller tasks may pass larger ones that do not fit. */
  private static final int MIN_TASKS = 10;

  private static final int MAX_TASKS = 100;

  /** When a claim looks again at what it cannot be told about. */
  private static final Duration POLL = Duration.ofSeconds(1);

  /** For what another claim is just doing. */
  private static final Duration SHORTLY = Duration.ofMillis(20);

  private final LimitTables<X> tables;
  private final Map<String, Integer> freeSlots = new HashMap<>();
  private final int limit;
  private final int maxTasks;
  private final Map<String, LimitRoom> rooms = new LinkedHashMap<>();
  private final Set<String> unfinished = new HashSet<>();
  private final Set<String> refused = new HashSet<>();
  private final Set<String> served = new HashSet<>();
  private final List<WaitingTask> chosen = new ArrayList<>();
  private final Map<UUID, String> moved = new LinkedHashMap<>();

  /**
   * @param queues the free slots of each queue
   * @param limit maximum number of tasks
   */
  public LimitedClaim(LimitTables<X> tables, List<QueueCapacity> queues, int limit) {
    this.tables = tables;
    this.limit = limit;
    this.maxTasks = Math.clamp(limit, MIN_TASKS, MAX_TASKS);
    queues.forEach(queue -> freeSlots.merge(queue.queue(), queue.free(), Math::addExact));
  }

  /**
   * What was claimed.
   *
   * @param more whether the claim left something that could start now
   */
  public record Claimed(Instant now, List<Lease> leases, boolean more) {

    public Claimed {
      leases = List.copyOf(leases);
    }
  }

  public Claimed run() throws X {
    OpenLimits open = tables.open(MAX_LIMITS, maxTasks);
    if (open.limits().isEmpty()) {
      return new Claimed(open.now(), List.of(), open.skipped());
    }
    lockRooms(open);
    choose(open.limits());
    if (!moved.isEmpty()) {
      tables.move(moved);
    }
    List<LimitUpdate> updates = updates(open);
    return new Claimed(
        open.now(), tables.take(chosen, updates), open.skipped() || !unfinished.isEmpty());
  }

  /** Locks the other limits of tasks that have several. */
  private void lockRooms(OpenLimits open) throws X {
    Map<String, LimitRow> locked = new LinkedHashMap<>();
    open.limits().forEach(one -> locked.put(one.limit().key(), one.limit()));
    TreeSet<String> others = new TreeSet<>();
    for (OpenLimit one : open.limits()) {
      one.first().forEach(task -> others.addAll(task.limits()));
    }
    others.removeAll(locked.keySet());
    if (!others.isEmpty()) {
      locked.putAll(tables.lock(others));
    }
    List<String> capacities =
        locked.values().stream()
            .filter(row -> row.rule().type() == LimitType.CAPACITY)
            .map(LimitRow::key)
            .toList();
    Map<String, Long> work = capacities.isEmpty() ? Map.of() : tables.work(capacities);
    locked.forEach(
        (key, row) -> rooms.put(key, new LimitRoom(row, work.getOrDefault(key, 0L), open.now())));
  }

  /** One task of each limit in turn, until nothing more can start. */
  private void choose(List<OpenLimit> open) {
    Map<String, Deque<WaitingTask>> waiting = new LinkedHashMap<>();
    open.forEach(one -> waiting.put(one.limit().key(), new ArrayDeque<>(one.first())));
    boolean progress = true;
    while (progress && chosen.size() < limit) {
      progress = false;
      for (Map.Entry<String, Deque<WaitingTask>> entry : waiting.entrySet()) {
        progress |= chosen.size() < limit && chooseNext(room(entry.getKey()), entry.getValue());
      }
    }
    for (OpenLimit one : open) {
      String key = one.limit().key();
      boolean left = !waiting.getOrDefault(key, new ArrayDeque<>()).isEmpty();
      if (left || (one.first().size() >= maxTasks && !refused.contains(key))) {
        unfinished.add(key);
      }
    }
  }

  /** Chooses the next task that waits for this limit; false when there is none. */
  private boolean chooseNext(LimitRoom room, Deque<WaitingTask> waiting) {
    String key = room.limit().key();
    for (WaitingTask task = waiting.poll(); task != null; task = waiting.poll()) {
      if (!room.allows(task)) {
        refused.add(key);
        if (!room.letsPass(task)) {
          waiting.clear();
        }
      } else if (freeSlots.getOrDefault(task.queue(), 0) == 0) {
        unfinished.add(key);
      } else if (choose(task)) {
        served.add(key);
        return true;
      } else {
        unfinished.add(key);
      }
    }
    return false;
  }

  /** Returns false when another limit holds the task back; it moves to that one. */
  private boolean choose(WaitingTask task) {
    String obstacle = obstacle(task);
    if (obstacle == null) {
      task.limits().forEach(key -> room(key).choose(task));
      freeSlots.merge(task.queue(), -1, Integer::sum);
      chosen.add(task);
      return true;
    }
    if (rooms.containsKey(obstacle)) {
      moved.put(task.id(), obstacle);
    }
    return false;
  }

  private LimitRoom room(String key) {
    LimitRoom room = rooms.get(key);
    if (room == null) {
      throw new IllegalStateException("the limit " + key + " is not locked");
    }
    return room;
  }

  /** The key of a limit that holds the task back, or that another transaction has locked. */
  private @Nullable String obstacle(WaitingTask task) {
    for (String key : task.limits()) {
      LimitRoom room = rooms.get(key);
      if (room == null || !room.allows(task)) {
        return key;
      }
    }
    return null;
  }

  private List<LimitUpdate> updates(OpenLimits open) {
    Map<String, OpenLimit> opened = new HashMap<>();
    open.limits().forEach(one -> opened.put(one.limit().key(), one));
    List<LimitUpdate> updates = new ArrayList<>();
    rooms.forEach(
        (key, room) -> {
          LimitRow before = room.limit();
          OpenLimit one = opened.get(key);
          Instant lookAt =
              one == null ? lookAtOther(room, open.now()) : lookAt(room, one, open.now());
          updates.add(
              new LimitUpdate(
                  new LimitRow(
                      key, before.queue(), before.rule(), before.used(), room.nextStart(), lookAt),
                  room.chosen()));
        });
    return updates;
  }

  /** When to look again at a limit that this claim has looked at; null when an event will say. */
  private @Nullable Instant lookAt(LimitRoom room, OpenLimit one, Instant now) {
    String key = one.limit().key();
    LimitType type = room.limit().rule().type();
    if (type == LimitType.CONCURRENCY && room.isFull()) {
      return null;
    }
    Instant next = one.nextDue();
    if (unfinished.contains(key)) {
      next = served.contains(key) ? now : one.since(); // One that was not served keeps its turn.
    } else if (refused.contains(key) || moved.containsValue(key)) {
      // Progress makes room for a limit on capacity, but records no event.
      next = type == LimitType.CAPACITY ? now.plus(POLL) : now;
    }
    if (one.nextDueUnknown()) {
      boolean shared = room.limit().queue().equals(LimitTables.ANY_QUEUE);
      next = sooner(next, now.plus(shared ? SHORTLY : POLL));
    }
    return next == null || type != LimitType.RATE ? next : later(next, room.earliestStart());
  }

  /** A task may have moved to it, so it must be looked at when it has room again. */
  private @Nullable Instant lookAtOther(LimitRoom room, Instant now) {
    Instant before = room.limit().lookAt();
    if (!moved.containsValue(room.limit().key())) {
      return before;
    }
    return switch (room.limit().rule().type()) {
      case CONCURRENCY -> before;
      case CAPACITY -> sooner(before, now.plus(POLL));
      case RATE -> sooner(before, room.earliestStart());
    };
  }

  private static @Nullable Instant sooner(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.isBefore(other) ? one : other;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isBefore(other) ? other : one;
  }
}

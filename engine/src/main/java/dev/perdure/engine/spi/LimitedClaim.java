// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LimitTables.LaterTasks;
import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.spi.LimitTables.LimitUpdate;
import dev.perdure.engine.spi.LimitTables.OpenLimit;
import dev.perdure.engine.spi.LimitTables.OpenLimits;
import dev.perdure.engine.spi.LimitTables.OtherLimit;
import dev.perdure.engine.spi.LimitTables.WaitingTask;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LimitRule;
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
import java.util.TreeMap;
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
 * back moves to that limit, so it is not in the way of the tasks behind it. It also moves if an
 * earlier task waits there, so that it does not overtake that one.
 *
 * @param <X> what the tables throw when the database fails
 */
public final class LimitedClaim<X extends Exception> {

  /** Maximum number of events of one queue among which a claim looks for limits. */
  public static final int MAX_EVENTS = 500;

  /** Maximum number of events of one limit that one claim applies. */
  public static final int MAX_EVENTS_OF_LIMIT = 2_000;

  /** A claim looks at enough limits to start two tasks of each, and at some more. */
  private static final int MORE_LIMITS = 10;

  private static final int MAX_LIMITS = 100;

  /** Also with fewer free slots: smaller tasks may pass larger ones that do not fit. */
  private static final int MIN_TASKS = 10;

  private static final int MAX_TASKS = 100;

  /** How often a claim looks for tasks behind those that have moved to other limits. */
  private static final int MAX_ROUNDS = 3;

  /** When a claim looks again at what it cannot be told about. */
  private static final Duration POLL = Duration.ofSeconds(1);

  private static final LaterTasks NOTHING = new LaterTasks(null, false, false);

  private final LimitTables<X> tables;
  private final Map<String, Integer> freeSlots = new HashMap<>();
  private final int limit;
  private final int maxTasks;
  private final Map<String, LimitRoom> rooms = new LinkedHashMap<>();
  private final Set<String> unfinished = new HashSet<>();
  private final Set<String> refused = new HashSet<>();
  private final Map<String, Integer> served = new HashMap<>();
  private final Map<String, Deque<WaitingTask>> lines = new HashMap<>();
  private final Map<String, Instant> firstWaiting = new HashMap<>();
  private final List<WaitingTask> chosen = new ArrayList<>();
  private final Map<UUID, String> moved = new LinkedHashMap<>();
  private final Set<String> movedFrom = new HashSet<>();
  private final Set<String> movedTo = new HashSet<>();
  private KindLimits kinds = KindLimits.NONE;

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
    OpenLimits open = tables.open(Math.min(limit / 2 + MORE_LIMITS, MAX_LIMITS), maxTasks);
    if (open.limits().isEmpty()) {
      return new Claimed(open.now(), List.of(), open.skipped());
    }
    kinds = open.kinds();
    Map<String, LimitRow> opened = new LinkedHashMap<>();
    Map<String, Deque<WaitingTask>> waiting = new LinkedHashMap<>();
    for (OpenLimit one : open.limits()) {
      opened.put(one.limit().key(), one.limit());
      waiting.put(one.limit().key(), new ArrayDeque<>(one.first()));
    }
    addRooms(opened, open.now());
    choose(waiting, open.now());
    for (int i = 0; i < MAX_ROUNDS && !movedFrom.isEmpty() && chosen.size() < limit; i++) {
      choose(behindMoved(), open.now());
    }
    flushMoved();
    List<LimitUpdate> updates = updates(open);
    return new Claimed(
        open.now(), tables.take(chosen, updates), open.skipped() || !unfinished.isEmpty());
  }

  private void addRooms(Map<String, LimitRow> locked, Instant now) throws X {
    List<String> capacities =
        locked.values().stream()
            .filter(row -> row.rule().type() == LimitType.CAPACITY)
            .map(LimitRow::key)
            .toList();
    Map<String, Long> work = capacities.isEmpty() ? Map.of() : tables.work(capacities);
    locked.forEach(
        (key, row) -> rooms.put(key, new LimitRoom(current(row), work.getOrDefault(key, 0L), now)));
  }

  /** What a limit of a kind allows may have changed since the row was written. */
  private LimitRow current(LimitRow row) {
    LimitRule rule = kinds.rule(row.key()).orElse(row.rule());
    if (rule.equals(row.rule())) {
      return row;
    }
    unfinished.add(row.key()); // Its tasks were found by the old number.
    return new LimitRow(row.key(), row.queue(), rule, row.used(), row.nextStart(), row.lookAt());
  }

  /** Locks the other limits of tasks that have several. */
  private void lockOthers(Map<String, Deque<WaitingTask>> waiting, Instant now) throws X {
    Map<String, UUID> others = new TreeMap<>();
    waiting
        .values()
        .forEach(
            tasks ->
                tasks.forEach(task -> task.limits().forEach(key -> others.put(key, task.id()))));
    others.keySet().removeAll(rooms.keySet());
    if (others.isEmpty()) {
      return;
    }
    Map<String, LimitRow> locked = new LinkedHashMap<>();
    for (OtherLimit other : tables.lock(others).values()) {
      String key = other.limit().key();
      locked.put(key, other.limit());
      if (other.firstWaiting() != null) {
        firstWaiting.put(key, other.firstWaiting());
      }
    }
    addRooms(locked, now);
  }

  /** One task of each limit in turn, until nothing more can start. */
  private void choose(Map<String, Deque<WaitingTask>> waiting, Instant now) throws X {
    unfinished.addAll(new OutdatedTasks<>(tables, kinds).removeFrom(waiting));
    lockOthers(waiting, now);
    lines.putAll(waiting);
    Map<String, Integer> sizes = new HashMap<>();
    waiting.forEach((key, tasks) -> sizes.put(key, tasks.size()));
    boolean progress = true;
    while (progress && chosen.size() < limit) {
      progress = false;
      for (Map.Entry<String, Deque<WaitingTask>> entry : waiting.entrySet()) {
        progress |= chosen.size() < limit && chooseNext(room(entry.getKey()), entry.getValue());
      }
    }
    waiting.forEach(
        (key, left) -> {
          boolean mayBeMore = sizes.getOrDefault(key, 0) >= maxTasks && !refused.contains(key);
          if (!left.isEmpty() || mayBeMore) {
            unfinished.add(key);
          }
        });
  }

  /** The tasks that were behind those that have moved to other limits. */
  private Map<String, Deque<WaitingTask>> behindMoved() throws X {
    flushMoved();
    Set<UUID> before = new HashSet<>();
    chosen.forEach(task -> before.add(task.id()));
    Map<String, Deque<WaitingTask>> waiting = new LinkedHashMap<>();
    for (String key : List.copyOf(movedFrom)) {
      if (!room(key).isFull()) {
        Deque<WaitingTask> tasks = new ArrayDeque<>(tables.waiting(key, maxTasks + before.size()));
        tasks.removeIf(task -> before.contains(task.id()));
        waiting.put(key, tasks);
        unfinished.remove(key);
      }
    }
    movedFrom.clear();
    return waiting;
  }

  private void flushMoved() throws X {
    if (!moved.isEmpty()) {
      tables.move(moved);
      movedTo.addAll(moved.values());
      moved.clear();
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
      } else if (choose(key, task)) {
        served.merge(key, 1, Integer::sum);
        return true;
      }
    }
    return false;
  }

  /** Returns false when another limit holds the task back; it moves to that one. */
  private boolean choose(String own, WaitingTask task) {
    String obstacle = obstacle(own, task);
    if (obstacle == null) {
      task.limits().forEach(key -> room(key).choose(task));
      freeSlots.merge(task.queue(), -1, Integer::sum);
      chosen.add(task);
      return true;
    }
    if (rooms.containsKey(obstacle)) {
      moved.put(task.id(), obstacle);
      movedFrom.add(own);
    }
    unfinished.add(own);
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
  private @Nullable String obstacle(String own, WaitingTask task) {
    for (String key : task.limits()) {
      LimitRoom room = rooms.get(key);
      boolean overtakes = !key.equals(own) && isFirstBefore(key, task.claimAt());
      if (room == null || overtakes || !room.allows(task)) {
        return key;
      }
    }
    return null;
  }

  /** Returns whether a task waits for the limit that comes before this place. */
  private boolean isFirstBefore(String key, Instant place) {
    Deque<WaitingTask> line = lines.get(key);
    WaitingTask next = line == null ? null : line.peek();
    Instant first = next == null ? firstWaiting.get(key) : next.claimAt();
    return first != null && first.isBefore(place);
  }

  private List<LimitUpdate> updates(OpenLimits open) throws X {
    Map<String, Instant> since = new HashMap<>();
    open.limits().forEach(one -> since.put(one.limit().key(), one.since()));
    Map<LimitRow, Integer> exhausted = new LinkedHashMap<>();
    for (LimitRoom room : rooms.values()) {
      String key = room.limit().key();
      if (since.containsKey(key) && mayWaitForLater(room)) {
        exhausted.put(room.limit(), served.getOrDefault(key, 0));
      }
    }
    Map<String, LaterTasks> later = exhausted.isEmpty() ? Map.of() : tables.later(exhausted);
    List<LimitUpdate> updates = new ArrayList<>();
    rooms.forEach(
        (key, room) -> {
          LimitRow before = room.limit();
          Instant first = since.get(key);
          Instant lookAt =
              first == null
                  ? lookAtOther(room, open.now())
                  : lookAt(room, first, later.getOrDefault(key, NOTHING), open.now());
          updates.add(
              new LimitUpdate(
                  new LimitRow(
                      key, before.queue(), before.rule(), before.used(), room.nextStart(), lookAt),
                  room.chosen()));
        });
    return updates;
  }

  /** False when it is known without the other tasks that wait when to look again. */
  private boolean mayWaitForLater(LimitRoom room) {
    String key = room.limit().key();
    boolean known = unfinished.contains(key) || refused.contains(key) || movedTo.contains(key);
    return isShared(room) || (!isAsleep(room) && !known);
  }

  private static boolean isShared(LimitRoom room) {
    return room.limit().queue().equals(LimitTables.ANY_QUEUE);
  }

  /** Only an end can make room, and that is an event. */
  private static boolean isAsleep(LimitRoom room) {
    return room.limit().rule().type() == LimitType.CONCURRENCY && room.isFull();
  }

  /** When to look again at a limit that this claim has looked at; null when an event will say. */
  private @Nullable Instant lookAt(LimitRoom room, Instant since, LaterTasks later, Instant now) {
    String key = room.limit().key();
    LimitType type = room.limit().rule().type();
    Instant next = later.nextDue();
    if (isAsleep(room)) {
      // Claims of other queues do not see that a task of this queue has ended.
      Instant shared = later.dueLeft() || later.unknown() ? now.plus(POLL) : next;
      return isShared(room) ? shared : null;
    }
    if (later.dueLeft() && isShared(room)) {
      next = now; // For the claims of other queues.
    } else if (unfinished.contains(key)) {
      next = served.containsKey(key) ? now : since; // One that was not served keeps its turn.
    } else if (refused.contains(key) || movedTo.contains(key)) {
      // Progress makes room for a limit on capacity, but records no event.
      next = type == LimitType.CAPACITY ? now.plus(POLL) : now;
    }
    if (later.unknown() || later.dueLeft()) {
      // No event says that another transaction has unlocked a task.
      next = sooner(next, now.plus(POLL));
    }
    return next == null || type != LimitType.RATE ? next : later(next, room.earliestStart());
  }

  /** A task may have moved to it, so it must be looked at when it has room again. */
  private @Nullable Instant lookAtOther(LimitRoom room, Instant now) {
    Instant before = room.limit().lookAt();
    if (!movedTo.contains(room.limit().key())) {
      return before;
    }
    return switch (room.limit().rule().type()) {
      case CONCURRENCY -> room.isFull() ? before : now;
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

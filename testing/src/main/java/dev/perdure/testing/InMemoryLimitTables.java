// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.spi.LimitTables;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.testing.LimitTable.Event;
import dev.perdure.testing.LimitTable.LimitKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The limits of one shard, under the lock of the database. */
final class InMemoryLimitTables implements LimitTables<RuntimeException> {

  private static final Duration SHARED_POLL = Duration.ofMillis(100);

  private final TaskTable tasks;
  private final int shard;
  private final Set<String> queues;
  private final Instant now;
  private final Function<StoredTask, Lease> lease;

  /**
   * @param queues the queues to claim from
   * @param lease claims a task
   */
  InMemoryLimitTables(
      TaskTable tasks,
      int shard,
      Set<String> queues,
      Instant now,
      Function<StoredTask, Lease> lease) {
    this.tasks = tasks;
    this.shard = shard;
    this.queues = queues;
    this.now = now;
    this.lease = lease;
  }

  @Override
  public OpenLimits open(int maxLimits, int maxTasks) {
    Map<LimitKey, Instant> since = new HashMap<>();
    for (Event event : ownEvents()) {
      since.merge(event.key(), event.at(), InMemoryLimitTables::earlier);
    }
    limits()
        .rows()
        .forEach(
            (key, row) -> {
              boolean served = queues.contains(row.queue()) || sharesQueue(key, row);
              if (key.shard() == shard && served && StoredTask.isReached(row.lookAt(), now)) {
                since.merge(
                    key, Objects.requireNonNull(row.lookAt()), InMemoryLimitTables::earlier);
              }
            });
    List<Map.Entry<LimitKey, Instant>> free =
        since.entrySet().stream()
            .sorted(
                Map.Entry.<LimitKey, Instant>comparingByValue().thenComparing(Map.Entry::getKey))
            .filter(entry -> !isLocked(entry.getKey()))
            .toList();
    List<OpenLimit> open = new ArrayList<>();
    for (Map.Entry<LimitKey, Instant> entry : free.stream().limit(maxLimits).toList()) {
      applyEvents(entry.getKey()).ifPresent(row -> open.add(open(row, entry.getValue(), maxTasks)));
    }
    return new OpenLimits(
        now,
        open,
        Math.min(free.size(), maxLimits) < since.size(),
        new KindLimits(limits().kinds().values()));
  }

  private boolean isLocked(LimitKey key) {
    return limits().accounting().isLocked(key.text());
  }

  /**
   * Returns whether several queues share the limit and a task of these ones is due. One of another
   * queue may be due for long if no claim serves that.
   */
  private boolean sharesQueue(LimitKey key, LimitRow row) {
    return row.queue().equals(ANY_QUEUE) && due(key).findAny().isPresent();
  }

  private List<Event> ownEvents() {
    return limits().events().stream()
        .filter(event -> event.key().shard() == shard && queues.contains(event.queue()))
        .toList();
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  /** Returns nothing when no task says how much the limit allows: none waits for it any more. */
  private Optional<LimitRow> applyEvents(LimitKey key) {
    LimitRow row = limits().rows().get(key);
    for (Event event : List.copyOf(limits().events())) {
      if (event.key().equals(key)) {
        row = row == null ? created(key, event).orElse(null) : row;
        row = row == null ? null : applied(row, event);
        limits().events().remove(event);
      }
    }
    if (row == null) {
      return Optional.empty();
    }
    limits().put(key, row, now);
    return Optional.of(asClaimed(row));
  }

  private LimitRow asClaimed(LimitRow row) {
    return new LimitRow(
        row.key(),
        row.queue(),
        row.rule(),
        limits().accounting().used(shard, row.key(), row.used()),
        row.nextStart(),
        row.lookAt());
  }

  private Optional<LimitRow> created(LimitKey key, Event event) {
    Optional<LimitRule> rule = Optional.ofNullable(event.rule()).or(() -> ruleOf(key));
    return rule.map(given -> new LimitRow(key.text(), event.queue(), given, 0, null, null));
  }

  private Optional<LimitRule> ruleOf(LimitKey key) {
    return tasks
        .newestFirst()
        .filter(task -> Shards.of(task.id()) == key.shard())
        .flatMap(task -> limits().limits(task.id()).stream())
        .filter(limit -> limit.key().equals(key.text()))
        .map(TaskLimit::rule)
        .findFirst();
  }

  private static LimitRow applied(LimitRow row, Event event) {
    return new LimitRow(
        row.key(),
        row.queue().equals(event.queue()) ? row.queue() : ANY_QUEUE,
        event.rule() == null ? row.rule() : event.rule(),
        Math.max(0, row.used() - event.freed()),
        row.nextStart(),
        row.lookAt());
  }

  private OpenLimit open(LimitRow row, Instant since, int maxTasks) {
    long room =
        switch (row.rule().type()) {
          case CONCURRENCY -> Math.clamp(row.rule().max() - row.used(), 0, maxTasks);
          case RATE -> Math.min(row.rule().burst() + 1, maxTasks);
          case CAPACITY -> maxTasks;
        };
    List<WaitingTask> first =
        due(new LimitKey(shard, row.key())).limit(room).map(this::waiting).toList();
    return new OpenLimit(row, since, first);
  }

  @Override
  public List<WaitingTask> waiting(String key, int maxTasks) {
    return due(new LimitKey(shard, key)).limit(maxTasks).map(this::waiting).toList();
  }

  private Stream<StoredTask> due(LimitKey key) {
    return List.copyOf(limits().waiting(key)).stream()
        .filter(task -> isStartable(task) && queues.contains(task.queue()));
  }

  private boolean isStartable(StoredTask task) {
    return task.isDue(now) && !task.isPastDeadline(now);
  }

  @Override
  public Map<String, LaterTasks> later(Map<LimitRow, Integer> started) {
    Map<String, LaterTasks> later = new HashMap<>();
    started.forEach(
        (row, tasksOfClaim) -> {
          LimitKey key = new LimitKey(shard, row.key());
          boolean shared = row.queue().equals(ANY_QUEUE);
          List<StoredTask> all =
              limits().waiting(key).stream()
                  .filter(task -> shared || queues.contains(task.queue()))
                  .toList();
          Instant nextDue =
              all.stream()
                  .map(StoredTask::dueAt)
                  .filter(due -> due.isAfter(now))
                  .min(Comparator.naturalOrder())
                  .orElse(null);
          long due = all.stream().filter(this::isStartable).count();
          later.put(row.key(), new LaterTasks(nextDue, false, due > tasksOfClaim));
        });
    return later;
  }

  private WaitingTask waiting(StoredTask task) {
    return new WaitingTask(
        task.id(),
        task.kind(),
        task.queue(),
        task.dueAt(),
        task.claimAt(),
        keys(task.id()),
        limits().work(task));
  }

  private List<String> keys(UUID task) {
    return limits().limits(task).stream().map(TaskLimit::key).toList();
  }

  @Override
  public Map<String, OtherLimit> lock(Map<String, UUID> taskByKey) {
    Map<String, OtherLimit> locked = new HashMap<>();
    taskByKey.forEach(
        (text, task) -> {
          LimitKey key = new LimitKey(shard, text);
          LimitRow row = limits().rows().computeIfAbsent(key, missing -> created(key, task));
          if (!isLocked(key) && !isRuleChanged(key, row)) {
            Instant first = due(key).findFirst().map(StoredTask::claimAt).orElse(null);
            locked.put(text, new OtherLimit(asClaimed(row), first));
          }
        });
    return locked;
  }

  private boolean isRuleChanged(LimitKey key, LimitRow row) {
    return limits().events().stream()
        .filter(event -> event.key().equals(key) && event.rule() != null)
        .anyMatch(event -> !row.rule().equals(event.rule()));
  }

  private LimitRow created(LimitKey key, UUID task) {
    LimitRule rule =
        limits().limits(task).stream()
            .filter(limit -> limit.key().equals(key.text()))
            .map(TaskLimit::rule)
            .findFirst()
            .orElseThrow();
    return new LimitRow(key.text(), tasks.existing(task).queue(), rule, 0, null, null);
  }

  @Override
  public Map<String, Long> work(Collection<String> keys) {
    Map<String, Long> work = new HashMap<>();
    tasks
        .leased()
        .filter(task -> Shards.of(task.id()) == shard)
        .flatMap(task -> keys(task.id()).stream().map(key -> Map.entry(key, limits().work(task))))
        .filter(entry -> keys.contains(entry.getKey()))
        .forEach(entry -> work.merge(entry.getKey(), entry.getValue(), LimitTables::saturatedSum));
    return work;
  }

  @Override
  public Map<UUID, String> metadata(Collection<UUID> ids) {
    Map<UUID, String> metadata = new HashMap<>();
    for (UUID id : ids) {
      String json = tasks.existing(id).task().definition().metadata();
      if (json != null) {
        metadata.put(id, json);
      }
    }
    return metadata;
  }

  @Override
  public void updateLimits(Collection<UUID> ids) {
    ids.forEach(id -> InMemoryKindLimits.update(tasks, tasks.existing(id), now));
  }

  @Override
  public void move(Map<UUID, String> limitByTask) {
    limitByTask.forEach((task, limit) -> limits().move(tasks.existing(task), limit));
  }

  @Override
  public List<Lease> take(List<WaitingTask> chosen, List<LimitUpdate> updates) {
    for (LimitUpdate update : updates) {
      LimitRow row = update.limit();
      LimitKey key = new LimitKey(shard, row.key());
      LimitRow stored = Objects.requireNonNull(limits().rows().get(key));
      limits()
          .put(
              key,
              new LimitRow(
                  row.key(),
                  row.queue(),
                  row.rule(),
                  stored.used() + update.chosen(),
                  limits().accounting().nextStart(shard, update, now),
                  row.lookAt()),
              now);
    }
    List<Lease> leases = new ArrayList<>();
    chosen.forEach(task -> leases.add(lease.apply(tasks.existing(task.id()))));
    return leases;
  }

  /** When a claim of these queues must look at a limit next; null when an event must come first. */
  static @Nullable Instant nextLook(TaskTable tasks, Set<String> queues, Instant now) {
    Stream<Instant> events =
        tasks.limits().events().stream()
            .filter(event -> queues.contains(event.queue()))
            .map(event -> now);
    Stream<Instant> looks =
        tasks.limits().rows().values().stream()
            .filter(row -> queues.contains(row.queue()) && row.lookAt() != null)
            .map(row -> Objects.requireNonNull(row.lookAt()));
    Stream<Instant> shared =
        tasks.limits().rows().entrySet().stream()
            .filter(entry -> entry.getValue().queue().equals(ANY_QUEUE))
            .flatMap(entry -> nextStart(tasks.limits(), entry, queues, now).stream())
            .map(next -> later(next, now.plus(SHARED_POLL)));
    return Stream.of(events, looks, shared)
        .flatMap(instants -> instants)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  /**
   * When a task of these queues may start that waits for a limit of several queues. If it is time
   * to look at the limit, that may be for the tasks of another queue.
   */
  private static Optional<Instant> nextStart(
      LimitTable limits, Map.Entry<LimitKey, LimitRow> limit, Set<String> queues, Instant now) {
    Instant lookAt = limit.getValue().lookAt();
    Optional<Instant> due =
        limits.waiting(limit.getKey()).stream()
            .filter(task -> queues.contains(task.queue()) && !task.isPastDeadline(now))
            .map(StoredTask::dueAt)
            .min(Comparator.naturalOrder());
    return lookAt == null ? Optional.empty() : due.map(instant -> later(instant, lookAt));
  }

  private static Instant later(Instant one, Instant other) {
    return one.isBefore(other) ? other : one;
  }

  private LimitTable limits() {
    return tasks.limits();
  }
}

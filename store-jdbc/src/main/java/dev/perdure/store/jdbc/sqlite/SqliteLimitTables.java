// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static java.util.stream.Collectors.groupingBy;

import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.spi.LimitKeys;
import dev.perdure.engine.spi.LimitTables;
import dev.perdure.engine.spi.LimitedClaim;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.LimitRowMapper;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The limits of one shard, in the writer's transaction. */
final class SqliteLimitTables implements LimitTables<SQLException> {

  private static final Comparator<WaitingTask> ORDER =
      Comparator.comparing(WaitingTask::claimAt).thenComparing(WaitingTask::id, IdOrder.BYTEWISE);

  static final LimitRowMapper LIMIT_ROWS = new LimitRowMapper(SqliteColumnReader.INSTANCE);

  private final SqliteSession session;
  private final long now;
  private final int shard;
  private final List<String> queues;
  private final boolean hasKinds;
  private final Taker taker;

  /** Claims tasks by their ids. */
  @FunctionalInterface
  interface Taker {
    List<Lease> take(int shard, List<UUID> ids) throws SQLException;
  }

  /**
   * @param hasKinds whether kinds have limits
   */
  SqliteLimitTables(
      SqliteSession session,
      long now,
      int shard,
      List<String> queues,
      boolean hasKinds,
      Taker taker) {
    this.session = session;
    this.now = now;
    this.shard = shard;
    this.queues = List.copyOf(queues);
    this.hasKinds = hasKinds;
    this.taker = taker;
  }

  /** What happened to a limit; the rule is null unless a submission says how much it allows. */
  private record Event(
      long number, String key, String queue, long freed, @Nullable LimitRule rule) {}

  @Override
  public OpenLimits open(int maxLimits, int maxTasks) throws SQLException {
    Map<String, Instant> since = new HashMap<>();
    for (String queue : queues) {
      statement("limit_event.of_queue")
          .text("queue", queue)
          .number("limit", LimitedClaim.MAX_EVENTS)
          .list(row -> Map.entry(row.getString("key"), row.getLong("created_at")))
          .forEach(
              entry -> since.putIfAbsent(entry.getKey(), Instant.ofEpochMilli(entry.getValue())));
    }
    List<String> served = new ArrayList<>(queues);
    served.add(ANY_QUEUE);
    for (String queue : served) {
      statement("limit.due")
          .number("now", now)
          .text("queue", queue)
          .text("queues", json(queues))
          .number("limit", maxLimits)
          .list(row -> Map.entry(row.getString("key"), row.getLong("look_at")))
          .forEach(
              entry ->
                  since.merge(
                      entry.getKey(),
                      Instant.ofEpochMilli(entry.getValue()),
                      (one, other) -> one.isBefore(other) ? one : other));
    }
    List<String> keys =
        since.keySet().stream()
            .sorted(
                Comparator.<String, Instant>comparing(since::get)
                    .thenComparing(Comparator.naturalOrder()))
            .limit(maxLimits)
            .toList();
    List<OpenLimit> open = new ArrayList<>();
    for (LimitRow row : applyEvents(keys)) {
      open.add(open(row, since.get(row.key()), maxTasks));
    }
    KindLimits kinds = hasKinds ? kindLimits().read() : KindLimits.NONE;
    return new OpenLimits(Instant.ofEpochMilli(now), open, since.size() > keys.size(), kinds);
  }

  /** A few statements for all limits, because each statement costs the driver more than a row. */
  private List<LimitRow> applyEvents(List<String> keys) throws SQLException {
    if (keys.isEmpty()) {
      return List.of();
    }
    String json = json(keys);
    Map<String, LimitRow> stored = new HashMap<>();
    statement("limit.find")
        .text("keys", json)
        .list(LIMIT_ROWS::limit)
        .forEach(row -> stored.put(row.key(), row));
    Map<String, List<Event>> events =
        statement("limit_event.of_keys")
            .text("keys", json)
            .number("limit", LimitedClaim.MAX_EVENTS_OF_LIMIT)
            .list(SqliteLimitTables::event)
            .stream()
            .collect(groupingBy(Event::key));
    deleteEvents(events.values().stream().flatMap(List::stream).toList());
    List<LimitRow> rows = new ArrayList<>();
    for (String key : keys) {
      LimitRow row = applied(key, stored.get(key), events.getOrDefault(key, List.of()));
      if (row != null) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static Event event(ResultSet row) throws SQLException {
    String key = row.getString("key");
    return new Event(
        row.getLong("number"),
        key,
        row.getString("queue"),
        row.getLong("freed"),
        row.getObject("max") == null ? null : LIMIT_ROWS.rule(LimitKeys.type(key), row));
  }

  /** Returns null when nothing says how much the limit allows: no task waits for it any more. */
  private @Nullable LimitRow applied(String key, @Nullable LimitRow row, List<Event> events)
      throws SQLException {
    if (row == null && events.isEmpty()) {
      return null; // Its events are behind those of other limits.
    }
    LimitRule rule =
        events.stream()
            .map(Event::rule)
            .filter(given -> given != null)
            .reduce((first, last) -> last)
            .orElse(row == null ? null : row.rule());
    if (rule == null) {
      rule = definedBy(waitingFor(key), key);
    }
    if (rule == null) {
      return null;
    }
    String queue = row == null ? events.getFirst().queue() : row.queue();
    boolean same = events.stream().allMatch(event -> event.queue().equals(queue));
    long freed = events.stream().mapToLong(Event::freed).sum();
    return new LimitRow(
        key,
        same ? queue : ANY_QUEUE,
        rule,
        row == null ? 0 : Math.max(0, row.used() - freed),
        row == null ? null : row.nextStart(),
        row == null ? null : row.lookAt());
  }

  private void deleteEvents(List<Event> events) throws SQLException {
    if (!events.isEmpty()) {
      ArrayNode numbers = JsonNodeFactory.instance.arrayNode();
      events.forEach(event -> numbers.add(event.number()));
      session.statement("limit_event.delete").text("numbers", numbers.toString()).update();
    }
  }

  /** The limits of a task that waits for this one. */
  private List<TaskLimit> waitingFor(String key) throws SQLException {
    return statement("limit_definition.of_waiting")
        .text("key", key)
        .one(LimitRowMapper::described)
        .orElse(List.of());
  }

  private static @Nullable LimitRule definedBy(List<TaskLimit> limits, String key) {
    return limits.stream()
        .filter(limit -> limit.key().equals(key))
        .map(TaskLimit::rule)
        .findFirst()
        .orElse(null);
  }

  private OpenLimit open(LimitRow row, @Nullable Instant since, int maxTasks) throws SQLException {
    int room =
        switch (row.rule().type()) {
          case CONCURRENCY -> Math.clamp(row.rule().max() - row.used(), 0, maxTasks);
          case RATE -> Math.min(row.rule().burst() + 1, maxTasks);
          case CAPACITY -> maxTasks;
        };
    Instant opened = since == null ? Instant.ofEpochMilli(now) : since;
    return new OpenLimit(row, opened, waiting(row.key(), queues(row), room));
  }

  /** The queues of this claim that tasks with the limit can have. */
  private List<String> queues(LimitRow row) {
    return queues.contains(row.queue()) ? List.of(row.queue()) : queues;
  }

  @Override
  public List<WaitingTask> waiting(String key, int maxTasks) throws SQLException {
    return waiting(key, queues, maxTasks);
  }

  private List<WaitingTask> waiting(String key, List<String> of, int maxTasks) throws SQLException {
    List<WaitingTask> found = new ArrayList<>();
    if (maxTasks > 0) {
      CachedStatement find =
          statement("limit.waiting").number("now", now).text("key", key).number("limit", maxTasks);
      for (String queue : of) {
        found.addAll(find.text("queue", queue).list(LIMIT_ROWS::waiting));
      }
    }
    return of.size() == 1 ? found : found.stream().sorted(ORDER).limit(maxTasks).toList();
  }

  static String json(List<String> texts) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    texts.forEach(array::add);
    return array.toString();
  }

  @Override
  public Map<String, LaterTasks> later(Map<LimitRow, Integer> limits) throws SQLException {
    Map<String, LaterTasks> later = new HashMap<>();
    for (LimitRow row : limits.keySet()) {
      later.put(row.key(), later(row, limits.getOrDefault(row, 0)));
    }
    return later;
  }

  private LaterTasks later(LimitRow row, int started) throws SQLException {
    boolean shared = row.queue().equals(ANY_QUEUE);
    CachedStatement find = statement("limit.later").number("now", now).text("key", row.key());
    find.flag("any_queue", shared).number("started", started);
    @Nullable Instant nextDue = null;
    boolean unknown = false;
    long due = 0;
    List<String> all =
        shared
            ? statement("limit.queues").text("key", row.key()).list(found -> found.getString(1))
            : queues(row);
    for (String queue : all) {
      QueueTasks of = find.text("queue", queue).one(SqliteLimitTables::tasks).orElseThrow();
      nextDue = sooner(nextDue, of.nextDue());
      unknown |= of.unknown();
      due += of.due();
    }
    return new LaterTasks(nextDue, unknown, due > started);
  }

  /** What waits for a limit in one queue. */
  private record QueueTasks(@Nullable Instant nextDue, boolean unknown, long due) {}

  private static QueueTasks tasks(ResultSet row) throws SQLException {
    return new QueueTasks(
        sooner(
            SqliteColumnReader.INSTANCE.instant(row, "unprioritized"),
            SqliteColumnReader.INSTANCE.instant(row, "prioritized")),
        row.getBoolean("next_due_unknown"),
        row.getLong("due"));
  }

  private static @Nullable Instant sooner(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isBefore(one)) ? other : one;
  }

  /** A stored limit, and whether an event changes its rule. */
  private record StoredLimit(LimitRow limit, boolean ruleChanged) {}

  @Override
  public Map<String, OtherLimit> lock(Map<String, UUID> taskByKey) throws SQLException {
    Map<String, OtherLimit> found = new HashMap<>();
    for (Map.Entry<String, UUID> entry : taskByKey.entrySet()) {
      String key = entry.getKey();
      StoredLimit stored =
          statement("limit.lock")
              .text("key", key)
              .one(row -> new StoredLimit(LIMIT_ROWS.limit(row), row.getBoolean("rule_changed")))
              .orElse(null);
      LimitRow limit = stored == null ? created(key, entry.getValue()) : stored.limit();
      if (limit != null && (stored == null || !stored.ruleChanged())) {
        List<WaitingTask> first = waiting(key, 1);
        found.put(key, new OtherLimit(limit, first.isEmpty() ? null : first.getFirst().claimAt()));
      }
    }
    return found;
  }

  private @Nullable LimitRow created(String key, UUID task) throws SQLException {
    return statement("limit_definition.of_tasks")
        .id("id", task)
        .one(
            row -> {
              LimitRule rule = definedBy(LimitRowMapper.described(row), key);
              String queue = row.getString("queue");
              return Optional.ofNullable(rule)
                  .map(given -> new LimitRow(key, queue, given, 0, null, null));
            })
        .flatMap(found -> found)
        .orElse(null);
  }

  /** The work of one task, with the keys of its limits. */
  private record HeldWork(List<String> limits, long work) {}

  @Override
  public Map<String, Long> work(Collection<String> keys) throws SQLException {
    Map<String, Long> work = new HashMap<>();
    List<HeldWork> held =
        statement("limit.work")
            .list(
                row -> new HeldWork(TaskLimit.keys(row.getString("limits")), row.getLong("work")));
    for (HeldWork task : held) {
      task.limits().stream()
          .filter(keys::contains)
          .forEach(key -> work.merge(key, task.work(), LimitTables::saturatedSum));
    }
    return work;
  }

  @Override
  public Map<UUID, String> metadata(Collection<UUID> tasks) throws SQLException {
    return kindLimits().metadata(tasks);
  }

  @Override
  public void updateLimits(Collection<UUID> tasks) throws SQLException {
    kindLimits().update(tasks);
  }

  private SqliteKindLimits kindLimits() {
    return new SqliteKindLimits(session, now, shard);
  }

  @Override
  public void move(Map<UUID, String> limitByTask) throws SQLException {
    CachedStatement move = statement("limit.move");
    for (Map.Entry<UUID, String> entry : limitByTask.entrySet()) {
      move.id("id", entry.getKey()).text("key", entry.getValue()).update();
    }
  }

  @Override
  public List<Lease> take(List<WaitingTask> chosen, List<LimitUpdate> limits) throws SQLException {
    if (!limits.isEmpty()) {
      ArrayNode rows = JsonNodeFactory.instance.arrayNode();
      limits.forEach(update -> rows.add(row(update)));
      statement("limit.create").number("now", now).text("rows", rows.toString()).update();
    }
    return chosen.isEmpty()
        ? List.of()
        : taker.take(shard, chosen.stream().map(WaitingTask::id).toList());
  }

  private static ArrayNode row(LimitUpdate update) {
    LimitRow row = update.limit();
    return JsonNodeFactory.instance
        .arrayNode()
        .add(row.key())
        .add(row.queue())
        .add(row.rule().type().text())
        .add(row.rule().max())
        .add(SqliteValues.millis(row.rule().per()))
        .add(row.rule().burst())
        .add(row.used() + update.chosen())
        .add(SqliteValues.millis(row.nextStart()))
        .add(SqliteValues.millis(row.lookAt()));
  }

  private CachedStatement statement(String name) throws SQLException {
    return session.statement(name).number("shard", shard);
  }
}

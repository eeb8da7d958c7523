// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.spi.LimitTables;
import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.testing.LimitTable.Event;
import dev.perdure.testing.LimitTable.LimitKey;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads and changes limits of the in-memory store. */
final class InMemoryLimitStore implements LimitStore {

  private final InMemoryDatabase database;

  InMemoryLimitStore(InMemoryDatabase database) {
    this.database = database;
  }

  @Override
  public List<LimitUsage> list(String after, int limit) {
    synchronized (database) {
      return LimitReader.page(
          limits().rows().entrySet().stream()
              .filter(entry -> KEY_ORDER.compare(entry.getKey().text(), after) > 0)
              .map(entry -> usage(entry.getKey(), entry.getValue()))
              .toList(),
          limit);
    }
  }

  private LimitUsage usage(LimitKey key, LimitRow row) {
    long waiting = Math.min(limits().waiting(key).size(), MAX_COUNTED);
    return new LimitUsage(row.key(), row.rule(), used(key, row), waiting, row.nextStart());
  }

  private long used(LimitKey key, LimitRow row) {
    if (row.rule().type() == LimitType.CAPACITY) {
      return database
          .tasks
          .leased()
          .filter(task -> Shards.of(task.id()) == key.shard())
          .filter(
              task ->
                  limits().limits(task.id()).stream()
                      .anyMatch(limit -> limit.key().equals(key.text())))
          .mapToLong(limits()::work)
          .reduce(0, LimitTables::saturatedSum);
    }
    long freed =
        limits().events().stream()
            .filter(event -> event.key().equals(key))
            .mapToLong(Event::freed)
            .sum();
    return Math.max(0, row.used() - freed);
  }

  @Override
  public Optional<LimitWait> waitOf(UUID id) {
    synchronized (database) {
      StoredTask task = database.tasks.find(id);
      Instant now = database.now();
      if (task == null || !task.waitsForLimit() || !task.isDue(now)) {
        return Optional.empty();
      }
      LimitKey key = new LimitKey(Shards.of(id), limits().waitsFor(id));
      LimitRow row = limits().rows().get(key);
      long ahead =
          limits().waiting(key).headSet(task).stream()
              .filter(other -> other.isDue(now))
              .limit(MAX_COUNTED)
              .count();
      return Optional.ofNullable(row).map(found -> new LimitWait(usage(key, found), ahead));
    }
  }

  @Override
  public Optional<UUID> findUncounted(UUID batch, String kind) {
    synchronized (database) {
      return database.tasks.batch(batch).stream()
          .filter(task -> task.kind().equals(kind) && task.state().isLive())
          .filter(task -> task.task().progress().expected() == null)
          .min(StoredTask.BY_ID)
          .map(StoredTask::id);
    }
  }

  @Override
  public RulesChanged changeRules(RulesChange change) {
    synchronized (database) {
      UUID after = change.after();
      List<StoredTask> page =
          database.tasks.batch(change.batch()).stream()
              .sorted(StoredTask.BY_ID)
              .filter(task -> after == null || IdOrder.BYTEWISE.compare(task.id(), after) > 0)
              .limit(MAX_CHANGED)
              .toList();
      List<StoredTask> changed =
          page.stream()
              .filter(task -> task.kind().equals(change.kind()) && task.state().isLive())
              .toList();
      changed.forEach(task -> changeRules(task, change.rules()));
      boolean more = page.size() == MAX_CHANGED;
      return new RulesChanged(changed.size(), more ? page.getLast().id() : null);
    }
  }

  private void changeRules(StoredTask stored, @Nullable String rules) {
    Task task = stored.task();
    TaskDefinition definition = InMemoryTaskUpdater.withRules(task.definition(), rules);
    Set<HoldReason> hold = EnumSet.noneOf(HoldReason.class);
    hold.addAll(task.hold());
    List<TaskLimit> limits = LimitRules.of(definition);
    hold.remove(HoldReason.LIMITED);
    if (!limits.isEmpty()) {
      hold.add(HoldReason.LIMITED);
    }
    database.tasks.replaceLimits(
        new StoredTask(
            InMemoryTaskUpdater.with(task, definition, hold),
            stored.leaseUntil(),
            stored.timesOutAt()),
        limits,
        database.now());
  }

  private LimitTable limits() {
    return database.tasks.limits();
  }
}

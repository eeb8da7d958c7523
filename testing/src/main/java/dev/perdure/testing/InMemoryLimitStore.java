// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.spi.LimitTables;
import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.testing.LimitTable.Event;
import dev.perdure.testing.LimitTable.LimitKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
  public List<KindLimit> ofKinds() {
    synchronized (database) {
      return List.copyOf(limits().kinds().values());
    }
  }

  @Override
  public void setKind(String kind, List<Limit> newLimits, KindLimit.Source source) {
    synchronized (database) {
      new InMemoryKindLimits(database.tasks, database.now()).set(kind, newLimits, source);
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
    TaskDefinition definition = InMemoryTaskUpdater.withRules(stored.task().definition(), rules);
    List<TaskLimit> limits =
        new KindLimits(limits().kinds().values())
            .ofRules(rules, definition.kind(), definition.metadata());
    database.tasks.replaceLimits(
        InMemoryKindLimits.withHold(stored, definition, limits), limits, database.now());
  }

  private LimitTable limits() {
    return database.tasks.limits();
  }
}

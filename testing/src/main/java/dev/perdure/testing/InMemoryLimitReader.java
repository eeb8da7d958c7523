// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.Shards;
import dev.perdure.testing.LimitTable.Event;
import dev.perdure.testing.LimitTable.LimitKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads limits of the in-memory store. */
final class InMemoryLimitReader implements LimitReader {

  private final InMemoryDatabase database;

  InMemoryLimitReader(InMemoryDatabase database) {
    this.database = database;
  }

  @Override
  public List<LimitUsage> list(String after, int limit) {
    synchronized (database) {
      return limits().rows().entrySet().stream()
          .filter(entry -> entry.getKey().text().compareTo(after) > 0)
          .map(entry -> usage(entry.getKey(), entry.getValue()))
          .sorted(Comparator.comparing(LimitUsage::key))
          .limit(limit)
          .toList();
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
          .sum();
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

  private LimitTable limits() {
    return database.tasks.limits();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.LimitCheck;
import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.MaintenanceStore.LimitSweep;
import dev.perdure.engine.task.Shards;
import dev.perdure.testing.LimitTable.Event;
import dev.perdure.testing.LimitTable.LimitKey;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Checks limits of the in-memory store. */
final class InMemoryLimitSweep {

  private final TaskTable tasks;
  private final Instant now;

  InMemoryLimitSweep(InMemoryDatabase database) {
    this.tasks = database.tasks;
    this.now = database.now();
  }

  LimitSweep run(String after, int limit) {
    tasks.limits().events().removeIf(this::isForgotten);
    List<LimitKey> keys =
        tasks.limits().rows().keySet().stream()
            .filter(key -> key.text().compareTo(after) > 0)
            .sorted((one, other) -> one.text().compareTo(other.text()))
            .limit(limit)
            .toList();
    int corrected = 0;
    int deleted = 0;
    for (LimitKey key : keys) {
      LimitCheck check = check(key);
      if (check.isWrong()) {
        LimitRow row = check.limit();
        tasks
            .limits()
            .put(
                key,
                new LimitRow(
                    row.key(), row.queue(), row.rule(), check.used(), row.nextStart(), now),
                now);
        corrected++;
      } else if (check.isUnused(now)) {
        tasks.limits().rows().remove(key);
        deleted++;
      }
    }
    boolean more = keys.size() == limit;
    return new LimitSweep(more ? keys.getLast().text() : null, corrected, deleted);
  }

  private boolean isForgotten(Event event) {
    return event.at().isBefore(now.minus(MaintenanceStore.LIMIT_RETENTION))
        && !tasks.limits().rows().containsKey(event.key())
        && tasks.limits().waiting(event.key()).isEmpty();
  }

  private LimitCheck check(LimitKey key) {
    List<Event> events =
        tasks.limits().events().stream().filter(event -> event.key().equals(key)).toList();
    return new LimitCheck(
        Objects.requireNonNull(tasks.limits().rows().get(key)),
        tasks.leased().filter(task -> has(task, key)).count(),
        tasks.limits().accounting().freedLater(events.stream().mapToLong(Event::freed).sum()),
        !events.isEmpty(),
        tasks.limits().waiting(key).stream().anyMatch(task -> !task.isPastDeadline(now)),
        tasks.limits().changedAt(key));
  }

  private boolean has(StoredTask task, LimitKey key) {
    return Shards.of(task.id()) == key.shard()
        && tasks.limits().limits(task.id()).stream()
            .anyMatch(limit -> limit.key().equals(key.text()));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.spi.LimitTables.WaitingTask;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Waiting tasks whose kind has got other limits. They get those before they can start.
 *
 * @param <X> what the tables throw when the database fails
 */
final class OutdatedTasks<X extends Exception> {

  private final LimitTables<X> tables;
  private final KindLimits kinds;

  OutdatedTasks(LimitTables<X> tables, KindLimits kinds) {
    this.tables = tables;
    this.kinds = kinds;
  }

  /** Updates and removes them; returns the keys of the limits that they waited for. */
  Set<String> removeFrom(Map<String, Deque<WaitingTask>> waiting) throws X {
    Map<UUID, String> metadata = metadata(waiting);
    Set<UUID> outdated = new LinkedHashSet<>();
    Set<String> keys = new HashSet<>();
    waiting.forEach(
        (key, tasks) -> {
          for (WaitingTask task : tasks) {
            if (kinds.isOutdated(task.limits(), task.kind(), metadata.get(task.id()))) {
              outdated.add(task.id());
              keys.add(key);
            }
          }
        });
    if (!outdated.isEmpty()) {
      tables.updateLimits(outdated);
      waiting.values().forEach(tasks -> tasks.removeIf(task -> outdated.contains(task.id())));
    }
    return keys;
  }

  private Map<UUID, String> metadata(Map<String, Deque<WaitingTask>> waiting) throws X {
    List<UUID> tasks =
        waiting.values().stream()
            .flatMap(Deque::stream)
            .filter(task -> kinds.needsMetadata(task.kind()))
            .map(WaitingTask::id)
            .toList();
    return tasks.isEmpty() ? Map.of() : tables.metadata(tasks);
  }
}

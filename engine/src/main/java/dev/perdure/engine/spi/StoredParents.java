// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.Dependency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The stored tasks that new tasks depend on. A dependency on a task of an earlier run is one on the
 * same task of the current run: a client may know only the ids of the first run.
 *
 * @param statuses the status of each task that exists, without those of earlier runs
 * @param copies by task of an earlier run, the same task of the run that followed it
 */
public record StoredParents(Map<UUID, ParentStatus> statuses, Map<UUID, UUID> copies) {

  /** No new task depends on a stored one. */
  public static final StoredParents NONE = new StoredParents(Map.of(), Map.of());

  public StoredParents {
    statuses = Map.copyOf(statuses);
    copies = Map.copyOf(copies);
  }

  /** True when the task, or the same task of the current run, exists. */
  public boolean contains(UUID parent) {
    return statuses.containsKey(current(parent));
  }

  /** Like this, but with more copies. */
  StoredParents with(Map<UUID, UUID> more) {
    Map<UUID, UUID> all = new HashMap<>(copies);
    all.putAll(more);
    return new StoredParents(statuses, all);
  }

  /** The same task of the current run. */
  UUID current(UUID parent) {
    UUID found = parent;
    for (UUID next = copies.get(found); next != null; next = copies.get(found)) {
      found = next;
    }
    return found;
  }

  /** The dependencies on tasks of current runs; two that become the same one require both. */
  public List<Dependency> bind(List<Dependency> dependencies) {
    if (copies.isEmpty()) {
      return dependencies;
    }
    return Deduplication.bound(dependencies, this::current);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.store.jdbc.crash.History.StoredHistory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Checks a history against the guarantee. */
final class HistoryChecker {

  private HistoryChecker() {}

  /** Returns a description of each violation; empty if there are none. */
  static List<String> violations(History history) {
    Map<UUID, List<Execution>> executions = history.executionsByTask();
    List<String> faults = new ArrayList<>();
    Set<UUID> known = new HashSet<>();
    for (StoredHistory stored : history.stored()) {
      UUID id = stored.task().id();
      if (!known.add(id)) {
        faults.add("task " + id + " is in the store twice");
      }
      List<Execution> own = executions.getOrDefault(id, List.of());
      List<String> found = new TaskHistoryChecker(stored, own, history).violations();
      found.forEach(fault -> faults.add("task " + id + ": " + fault));
    }
    history.acknowledged().stream()
        .filter(id -> !known.contains(id))
        .forEach(id -> faults.add("task " + id + " was acknowledged and is not in the store"));
    executions.keySet().stream()
        .filter(id -> !known.contains(id))
        .forEach(id -> faults.add("task " + id + " was executed and is not in the store"));
    faults.addAll(new GraphHistoryChecker(history).violations());
    return faults;
  }
}

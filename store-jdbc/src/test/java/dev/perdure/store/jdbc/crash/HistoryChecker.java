// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.store.jdbc.crash.History.StoredHistory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Finds what the guarantee forbids in a history. */
final class HistoryChecker {

  private HistoryChecker() {}

  /** Every fault, in words; none when all is well. */
  static List<String> violations(History history) {
    Map<UUID, List<Execution>> executions = history.executionsByTask();
    List<String> faults = new ArrayList<>();
    Set<UUID> known = new HashSet<>();
    for (StoredHistory storedHistory : history.stored()) {
      UUID id = storedHistory.task().id();
      if (!known.add(id)) {
        faults.add("task " + id + " is in the store twice");
      }
      List<Execution> own = executions.getOrDefault(id, List.of());
      List<String> found = new TaskHistoryChecker(storedHistory, own, history).violations();
      found.forEach(fault -> faults.add("task " + id + ": " + fault));
    }
    history.acknowledged().stream()
        .filter(id -> !known.contains(id))
        .forEach(id -> faults.add("task " + id + " was acknowledged and is not in the store"));
    executions.keySet().stream()
        .filter(id -> !known.contains(id))
        .forEach(id -> faults.add("task " + id + " was executed and is not in the store"));
    return faults;
  }
}

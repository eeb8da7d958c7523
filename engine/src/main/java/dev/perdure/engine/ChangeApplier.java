// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.TaskChange;
import java.util.List;

/**
 * Writes changes, and calls back when other tasks depend on one of them, or may start because of
 * one of them.
 */
final class ChangeApplier {

  private final TaskStore store;
  private volatile Runnable onObserved = () -> {};
  private volatile Runnable onLimited = () -> {};

  ChangeApplier(TaskStore store) {
    this.store = store;
  }

  void onObserved(Runnable value) {
    onObserved = value;
  }

  /** Calls back when tasks may start that waited for a limit. */
  void onLimited(Runnable value) {
    onLimited = value;
  }

  List<WriteResult> apply(List<TaskChange> changes) {
    List<WriteResult> results = applyEnds(changes);
    if (results.stream().anyMatch(WriteResult::limited)) {
      onLimited.run();
    }
    return results;
  }

  /** Writes ends of attempts that ran here: their slots are free, so this node claims anyway. */
  List<WriteResult> applyEnds(List<TaskChange> changes) {
    List<WriteResult> results = store.apply(changes);
    if (results.stream().anyMatch(WriteResult::observed)) {
      onObserved.run();
    }
    return results;
  }
}

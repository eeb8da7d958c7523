// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Task;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.function.Function;

/**
 * Carries out what an operator asks of one task. Between reading the task and writing the change
 * somebody may be faster; then the task is read again and the question put anew.
 */
final class Operator {

  private static final int MOST_TRIES = 20;

  private final TaskStore store;
  private final Changes changes;

  Operator(TaskStore store, Changes changes) {
    this.store = store;
    this.changes = changes;
  }

  /** Throws TaskRefusedException when the task's state does not allow it. */
  void carryOut(UUID id, Function<Task, Change> decide) {
    for (int i = 0; i < MOST_TRIES; i++) {
      Task task = task(id);
      Change change = decide.apply(task);
      if (store.apply(List.of(change)).getFirst().applied()) {
        changes.told(task, change, task.times().updatedAt());
        return;
      }
    }
    throw new IllegalStateException("task " + id + " changes too fast to be changed; try again");
  }

  Task task(UUID id) {
    return store
        .reader()
        .find(id)
        .orElseThrow(() -> new NoSuchElementException("there is no task " + id));
  }
}

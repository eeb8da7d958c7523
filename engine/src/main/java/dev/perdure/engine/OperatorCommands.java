// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Instant;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what an operator asks of one task. Between reading the task and writing the change
 * somebody may be faster; then the task is read again and the question put anew.
 */
final class OperatorCommands {

  private static final int MAX_TRIES = 20;

  private final TaskStore store;
  private final ChangeWriter changeWriter;

  OperatorCommands(TaskStore store, ChangeWriter changeWriter) {
    this.store = store;
    this.changeWriter = changeWriter;
  }

  /**
   * Throws TaskRefusedException when the task's state does not allow it.
   *
   * @param decide null from it means that everything is as it was asked for
   * @return the task as it was before; empty when there was nothing to change
   */
  Optional<Task> execute(UUID id, Function<Task, @Nullable TaskChange> decide) {
    for (int i = 0; i < MAX_TRIES; i++) {
      Task task = requireTask(id);
      TaskChange taskChange = decide.apply(task);
      if (taskChange == null) {
        return Optional.empty();
      }
      if (store.apply(List.of(taskChange)).getFirst().applied()) {
        changeWriter.afterWrite(task, taskChange, endedAt(task, taskChange));
        return Optional.of(task);
      }
    }
    throw new IllegalStateException("task " + id + " changes too fast to be changed; try again");
  }

  /** When the lease ended that ended with the change, by the database's clock. */
  private Instant endedAt(Task task, TaskChange taskChange) {
    Instant lastSeen = task.times().updatedAt();
    if (taskChange.attemptDetails() == null) {
      return lastSeen;
    }
    try {
      return store.reader().attempts(task.id(), 1).stream()
          .filter(record -> record.epoch() == task.epoch())
          .map(Attempt::endedAt)
          .findFirst()
          .orElse(lastSeen);
    } catch (StoreException nobodyKnows) {
      // The change itself is written; thrown on, it would say that it was not.
      return lastSeen;
    }
  }

  Task requireTask(UUID id) {
    return store
        .reader()
        .find(id)
        .orElseThrow(() -> new NoSuchElementException("there is no task " + id));
  }
}

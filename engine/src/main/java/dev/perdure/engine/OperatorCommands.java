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
 * Runs operator commands on single tasks. When a task changes between the read and the write, the
 * command is decided again.
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
   * Decides and writes a change; throws IllegalTransitionException when the task's state does not
   * allow it.
   *
   * @param decide returns null when there is nothing to change
   * @return the task before the change; empty when there was nothing to change
   */
  Optional<Task> execute(UUID id, Function<Task, @Nullable TaskChange> decide) {
    for (int i = 0; i < MAX_TRIES; i++) {
      Task task = requireTask(id);
      TaskChange change = decide.apply(task);
      if (change == null) {
        return Optional.empty();
      }
      if (store.apply(List.of(change)).getFirst().applied()) {
        changeWriter.afterWrite(task, change, endedAt(task, change));
        return Optional.of(task);
      }
    }
    throw new IllegalStateException("task " + id + " keeps changing; try again");
  }

  /** When the lease ended that the change ends, by the database's clock. */
  private Instant endedAt(Task task, TaskChange change) {
    Instant lastSeen = task.times().updatedAt();
    if (change.attemptDetails() == null) {
      return lastSeen;
    }
    try {
      return store.reader().attempts(task.id(), 1).stream()
          .filter(record -> record.epoch() == task.epoch())
          .map(Attempt::endedAt)
          .findFirst()
          .orElse(lastSeen);
    } catch (StoreException unreadable) {
      // The change is written; rethrowing would tell the caller that it is not.
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

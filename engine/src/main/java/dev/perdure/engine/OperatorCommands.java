// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.FieldError;
import java.time.Instant;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs operator commands on single tasks. When a task changes between the read and the write, the
 * command is decided again.
 */
final class OperatorCommands {

  private static final int MAX_TRIES = 20;
  private static final int PARENTS_PAGE_SIZE = 1_000;
  private static final int MAX_PARENTS_NAMED = 3;

  private final TaskStore store;
  private final TaskLifecycle lifecycle;
  private final ChangeApplier applier;
  private final ChangeWriter changeWriter;

  OperatorCommands(
      TaskStore store, TaskLifecycle lifecycle, ChangeApplier applier, ChangeWriter changeWriter) {
    this.store = store;
    this.lifecycle = lifecycle;
    this.applier = applier;
    this.changeWriter = changeWriter;
  }

  /** Returns whether a worker held the task. */
  boolean cancel(UUID id) {
    return execute(id, task -> task.state() == TaskState.CANCELED ? null : lifecycle.cancel(task))
        .filter(before -> before.state().isLeased())
        .isPresent();
  }

  void pause(UUID id) {
    execute(id, lifecycle::pause);
  }

  void resume(UUID id) {
    execute(id, lifecycle::resume);
  }

  void retryNow(UUID id) {
    Instant now = store.now();
    execute(
        id,
        task ->
            TaskAction.waitsUntilClaimed(task.row(), now)
                ? null
                : lifecycle.reschedule(task, DueTime.now()));
  }

  void reschedule(UUID id, Instant instant) {
    execute(id, task -> lifecycle.reschedule(task, DueTime.at(instant)));
  }

  void revive(UUID id) {
    execute(
        id,
        task -> {
          requireRevivable(task);
          TaskChange change = lifecycle.revive(task);
          requireDedupeKeyFree(task);
          return change;
        });
  }

  void reviveIgnoringDependencies(UUID id) {
    execute(
        id,
        task -> {
          requireCurrentRun(task, TaskEvent.REVIVE);
          TaskChange change = lifecycle.reviveIgnoringDependencies(task);
          requireDedupeKeyFree(task);
          return change;
        });
  }

  void resolve(UUID id, @Nullable String result, String reason) {
    execute(
        id,
        task -> {
          requireCurrentRun(task, TaskEvent.RESOLVE);
          return lifecycle.resolve(task, result, reason);
        });
  }

  /**
   * Decides and writes a change; throws IllegalTransitionException when the task's state does not
   * allow it.
   *
   * @param decide returns null when there is nothing to change
   * @return the task before the change; empty when there was nothing to change
   */
  private Optional<Task> execute(UUID id, Function<Task, @Nullable TaskChange> decide) {
    for (int i = 0; i < MAX_TRIES; i++) {
      Task task = requireTask(id);
      TaskChange change = decide.apply(task);
      if (change == null) {
        return Optional.empty();
      }
      if (isApplied(change)) {
        changeWriter.afterWrite(task, change, endedAt(task, change));
        return Optional.of(task);
      }
    }
    throw new IllegalStateException("task " + id + " keeps changing; try again");
  }

  /**
   * A store refuses to revive a task whose batch it is deleting, or that has got a later run since
   * the task was read.
   */
  private boolean isApplied(TaskChange change) {
    try {
      return applier.apply(List.of(change)).getFirst().applied();
    } catch (StoreException refused) {
      if (refused.kind() != StoreException.ErrorKind.REFUSED || !change.resetsRetries()) {
        throw refused;
      }
      requireCurrentRun(requireTask(change.task()), change.event());
      throw new IllegalTransitionException(
          change.task(), change.guard().from(), change.event(), "its batch is being deleted");
    }
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

  /** Throws when the batch of the task has a later run. */
  private void requireCurrentRun(Task task, TaskEvent event) {
    int current = currentRun(task);
    if (task.run() < current) {
      throw new IllegalTransitionException(
          task.id(),
          task.state(),
          event,
          "it belongs to run %d of its batch, which is at run %d".formatted(task.run(), current));
    }
  }

  /** Throws, and names the task that has the key, when the dedupe key of the task is taken. */
  private void requireDedupeKeyFree(Task task) {
    String key = task.definition().dedupeKey();
    if (key == null) {
      return;
    }
    store
        .reader()
        .findByDedupeKey(Shards.of(task.id()), key)
        .ifPresent(
            holder -> {
              throw new IllegalTransitionException(
                  task.id(),
                  task.state(),
                  TaskEvent.REVIVE,
                  "task %s has its dedupe key '%s'; retry when that task has ended"
                      .formatted(holder, FieldError.sanitize(key)));
            });
  }

  private int currentRun(Task task) {
    return store.batches().currentRun(task.batch()).orElse(task.run());
  }

  /** Throws, and names the tasks that failed, when a task that it depends on failed. */
  private void requireRevivable(Task task) {
    requireCurrentRun(task, TaskEvent.REVIVE);
    if (task.state().isLive() || task.dependencies().failed() == 0) {
      return;
    }
    List<ParentTask> failed = failedParents(task.id()).stream().limit(MAX_PARENTS_NAMED).toList();
    throw new IllegalTransitionException(task.id(), task.state(), TaskEvent.REVIVE, advice(failed));
  }

  private String advice(List<ParentTask> failed) {
    if (failed.isEmpty()) {
      return "it depends on a task that failed and has been deleted; retry with"
          + " ignore_dependencies";
    }
    String names =
        failed.stream()
            .map(
                parent ->
                    parent.localId() == null
                        ? "" + parent.id()
                        : parent.localId() + " (" + parent.id() + ")")
            .collect(Collectors.joining(", "));
    boolean earlier =
        failed.stream()
            .flatMap(parent -> store.reader().find(parent.id()).stream())
            .anyMatch(parent -> parent.run() < currentRun(parent));
    return earlier
        ? "it depends on %s, which failed in an earlier run of its batch and cannot be retried; retry with ignore_dependencies"
            .formatted(names)
        : "it depends on %s, which did not succeed; retry that first, or retry with ignore_dependencies"
            .formatted(names);
  }

  /** The first that are found; a task can have very many parents. */
  private List<ParentTask> failedParents(UUID child) {
    List<ParentTask> page = List.of();
    List<ParentTask> failed = List.of();
    do {
      UUID last = page.isEmpty() ? null : page.getLast().id();
      page = store.batches().parents(child, last, PARENTS_PAGE_SIZE, 0);
      failed =
          page.stream()
              .filter(ParentTask::requiresSuccess)
              .filter(parent -> parent.outcome() == DependencyOutcome.FAILED)
              .toList();
    } while (failed.isEmpty() && page.size() == PARENTS_PAGE_SIZE);
    return failed;
  }

  Task requireTask(UUID id) {
    return store
        .reader()
        .find(id)
        .orElseThrow(() -> new NoSuchElementException("there is no task " + id));
  }
}

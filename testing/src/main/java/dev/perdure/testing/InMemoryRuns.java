// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.HeldTasks;
import dev.perdure.engine.spi.InitialDependencies;
import dev.perdure.engine.spi.RunCopy;
import dev.perdure.engine.spi.RunCopy.OldTask;
import dev.perdure.engine.spi.RunCopy.VersionedTask;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import dev.perdure.testing.DependencyTable.StoredDependency;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Ends and starts runs of batches, under the lock of the database. */
final class InMemoryRuns {

  private final InMemoryDatabase database;
  private final TaskTable tasks;
  private final Instant now;

  InMemoryRuns(InMemoryDatabase database) {
    this.database = database;
    this.tasks = database.tasks;
    this.now = database.now();
  }

  List<CompletedRun> completed(int limit) {
    return tasks.runs().running().stream()
        .filter(this::isComplete)
        .limit(limit)
        .map(this::completed)
        .toList();
  }

  private boolean isComplete(UUID batch) {
    return current(batch).stream().allMatch(task -> task.state().isTerminal());
  }

  /** Returns the tasks of the current run in the order of their ids. */
  private List<Task> current(UUID batch) {
    return tasksOf(batch, tasks.runs().current(batch));
  }

  private List<Task> tasksOf(UUID batch, int run) {
    return tasks.batch(batch).stream()
        .map(StoredTask::task)
        .filter(task -> task.run() == run)
        .sorted(Comparator.comparing(Task::id, IdOrder.BYTEWISE))
        .toList();
  }

  private CompletedRun completed(UUID batch) {
    return completed(batch, tasks.runs().of(batch));
  }

  private CompletedRun completed(UUID batch, List<BatchRun> runs) {
    List<Task> ended = current(batch);
    boolean anyFailed = ended.stream().anyMatch(task -> task.state() == TaskState.FAILURE);
    boolean anyCanceled = ended.stream().anyMatch(task -> task.state() == TaskState.CANCELED);
    Task failed = firstFailed(ended).orElse(null);
    Task cause = failed;
    if (anyFailed && failed == null) {
      cause = failedHolder(batch).orElse(null);
      failed = cause == null ? null : firstEnded(ended.stream(), TaskState.FAILURE).orElse(null);
    }
    Attempt attempt = cause == null ? null : tasks.attempt(cause.id(), cause.epoch());
    return new CompletedRun(
        batch,
        runs.size() - 1,
        tasks.runs().version(batch),
        tasks.definition(batch),
        runs.getFirst().startedAt(),
        runs.size() == 1 ? null : runs.get(runs.size() - 2).delay(),
        tasks.stoppedAt(batch) != null,
        outcome(anyFailed, anyCanceled),
        failed,
        attempt == null ? null : attempt.details(),
        ended.stream()
            .map(task -> task.definition().deadline())
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder())
            .orElse(null),
        ended.getLast().id(),
        now);
  }

  static Optional<Task> firstFailed(List<Task> ended) {
    return firstEnded(
        ended.stream()
            .filter(task -> task.lastResult().giveUpReason() != TaskGiveUpReason.UPSTREAM_FAILED),
        TaskState.FAILURE);
  }

  /** The first task of another batch that took the place of one and did not succeed. */
  private Optional<Task> failedHolder(UUID batch) {
    return firstEnded(
        versions(batch).stream()
            .map(VersionedTask::supersededBy)
            .filter(Objects::nonNull)
            .map(tasks::find)
            .filter(Objects::nonNull)
            .map(StoredTask::task)
            .filter(task -> !task.batch().equals(batch)),
        TaskState.FAILURE,
        TaskState.CANCELED);
  }

  private static Optional<Task> firstEnded(Stream<Task> among, TaskState... states) {
    return among
        .filter(task -> List.of(states).contains(task.state()))
        .min(
            Comparator.comparing((Task task) -> task.times().endedAt())
                .thenComparing(Task::id, IdOrder.BYTEWISE));
  }

  private static BatchOutcome outcome(boolean failed, boolean canceled) {
    return failed ? BatchOutcome.FAILURE : canceled ? BatchOutcome.CANCELED : BatchOutcome.SUCCESS;
  }

  boolean end(RunDecision decision) {
    UUID batch = decision.batch();
    boolean complete =
        tasks.runs().running().contains(batch)
            && tasks.runs().current(batch) == decision.run()
            && tasks.runs().version(batch) == decision.version()
            && isComplete(batch)
            && (decision.delay() == null || tasks.stoppedAt(batch) == null);
    if (!complete) {
      return false;
    }
    tasks.runs().end(decision, now);
    tasks
        .deliveries()
        .add(tasks.existing(decision.deliveryTask()).task(), decision.deliveries(), now);
    for (Submission followUp : decision.followUps()) {
      new InMemorySubmissionWriter(followUp, database.shards).addTo(database, now);
    }
    if (decision.delay() == null) {
      for (Task task : current(batch)) {
        if (tasks.dependencies().hasChildren(task.id())) {
          tasks.dependencies().addEvent(task.id(), now, null, null);
        }
      }
    }
    return true;
  }

  /** Makes the next run due; a batch that kept no runs keeps them from now on. */
  boolean again(DueRun run) {
    UUID batch = run.batch();
    if (!tasks.hasBatch(batch) || tasks.isBeingDeleted(batch)) {
      return false;
    }
    int current = tasks.runs().current(batch);
    if (current != run.number() - 1) {
      return current == run.number(); // It has started already.
    }
    if (!isComplete(batch) || tasks.runs().running().contains(batch)) {
      return false;
    }
    if (tasks.runs().of(batch).isEmpty()) {
      CompletedRun ended = completed(batch, List.of(firstRun(batch)));
      tasks.runs().start(batch, ended.firstStartedAt());
      tasks
          .runs()
          .end(
              new RunDecision(
                  batch,
                  0,
                  ended.version(),
                  ended.outcome(),
                  null,
                  null,
                  null,
                  ended.last(),
                  List.of(),
                  List.of()),
              now);
    }
    tasks.unstop(batch);
    tasks.runs().setNextRunAt(batch, now);
    return true;
  }

  private BatchRun firstRun(UUID batch) {
    Instant started = current(batch).getFirst().times().createdAt();
    return new BatchRun(0, started, null, null, null, null, null, null);
  }

  int start(DueRun due, Supplier<UUID> ids) {
    UUID batch = due.batch();
    boolean isDue =
        tasks.runs().due(now, Integer.MAX_VALUE).contains(due)
            && tasks.stoppedAt(batch) == null
            && !tasks.isBeingDeleted(batch)
            && isComplete(batch);
    if (!tasks.rules().startsRun(isDue)) {
      return 0;
    }
    RunCopy.Source source = source(batch, due.number() - 1);
    HeldTasks held = held(batch, source.tasks());
    if (held.mustWait()) {
      tasks.runs().setNextRunAt(batch, now.plus(HeldTasks.DELAY));
      return 0;
    }
    RunCopy copy = new RunCopy(source, held, ids);
    InitialDependencies initial =
        copy.initial(tasks.definition(batch), tasks.storedParents(copy.storedParents()));
    List<Task> copied =
        copy.tasks().stream().map(task -> tasks.existing(task.id()).task()).toList();
    if (isDue) {
      tasks.runs().start(batch, now);
    }
    held.holders().forEach(this::bindToHolder);
    for (Task task : copied) {
      UUID id = copy.newId(task.id());
      StoredTask added = new StoredTask(copy(task, id, initial, due.number()), null, null);
      tasks.limits().add(id, tasks.limits().limits(task.id()));
      tasks.add(added);
      tasks.limits().changed(added, 0, now);
      tasks.observe(id, tasks.observers(task.id()));
      tasks.dependencies().moveDeferred(task.id(), id);
      tasks.supersede(task.id(), id);
    }
    initial
        .rows()
        .forEach(row -> tasks.dependencies().put(row.dependency(), row.outcome(), row.deferred()));
    initial.events().forEach(id -> tasks.dependencies().addEvent(id, now, null, null));
    return copied.size();
  }

  /** Earlier runs matter only if a task was held back in the last one. */
  private RunCopy.Source source(UUID batch, int previous) {
    List<Task> last = tasksOf(batch, previous);
    if (last.size() == tasksOf(batch, 0).size()) {
      return new RunCopy.Source(
          last.stream().map(this::oldTask).toList(), dependencies(last.stream()));
    }
    return RunCopy.Source.ofAllRuns(
        versions(batch), dependencies(tasks.batch(batch).stream().map(StoredTask::task)));
  }

  private List<VersionedTask> versions(UUID batch) {
    return tasks.batch(batch).stream()
        .map(StoredTask::task)
        .sorted(Comparator.comparing(Task::id, IdOrder.BYTEWISE))
        .map(
            task ->
                new VersionedTask(
                    oldTask(task),
                    task.run(),
                    tasks.storedParents(List.of(task.id())).copies().get(task.id())))
        .toList();
  }

  private HeldTasks held(UUID batch, List<OldTask> before) {
    Map<UUID, String> keys = RunCopy.dedupeKeys(before);
    return HeldTasks.of(before.size(), keys, tasks.holders(Shards.of(batch), keys.values()));
  }

  /** Tasks of other batches that depended on the task depend on the live one with its key. */
  private void bindToHolder(UUID task, UUID holder) {
    tasks.dependencies().moveDeferred(task, holder);
    tasks.supersede(task, holder);
    tasks.dependencies().addEvent(task, now, null, null);
    tasks.dependencies().addEvent(holder, now, null, null);
  }

  private OldTask oldTask(Task task) {
    return new OldTask(
        task.id(),
        tasks.observers(task.id()),
        task.state().isLive(),
        task.definition().dedupeKey());
  }

  private List<Dependency> dependencies(Stream<Task> children) {
    return children
        .flatMap(task -> tasks.dependencies().ofChild(task.id()).stream())
        .map(StoredDependency::dependency)
        .toList();
  }

  private Task copy(Task task, UUID id, InitialDependencies initial, int run) {
    return new Task(
        id,
        task.batch(),
        run,
        task.definition(),
        initial.counts(id).unmet() > 0 ? TaskState.WAITING : TaskState.PENDING,
        tasks.limits().limits(task.id()).isEmpty() ? Set.of() : Set.of(HoldReason.LIMITED),
        0,
        null,
        null,
        null,
        RetryCounters.INITIAL,
        new TaskTimes(now, now, now, null, null, now),
        new Progress(0, 0, task.progress().expected()),
        LastResult.NONE,
        initial.counts(id));
  }
}

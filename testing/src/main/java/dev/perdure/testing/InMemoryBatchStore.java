// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.BatchFilter;
import dev.perdure.engine.query.BatchPage;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.spi.BatchStore;
import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.IdText;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskTimes;
import dev.perdure.testing.DependencyTable.StoredDependency;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The batches in memory. */
final class InMemoryBatchStore implements BatchStore {

  private final InMemoryDatabase database;

  InMemoryBatchStore(InMemoryDatabase database) {
    this.database = database;
  }

  @Override
  public boolean markStopped(UUID batch) {
    synchronized (database) {
      boolean found = database.tasks.hasBatch(batch);
      if (found) {
        database.tasks.markStopped(batch, database.now());
        if (database.tasks.runs().hasNext(batch)
            && database.tasks.runs().of(batch).getLast().outcome() != null) {
          database.tasks.runs().reopen(batch); // To be decided again: the batch is final now.
        }
      }
      return found;
    }
  }

  @Override
  public List<CompletedRun> completedRuns(int limit) {
    synchronized (database) {
      return runs().completed(limit);
    }
  }

  @Override
  public boolean endRun(RunDecision decision) {
    synchronized (database) {
      return runs().end(decision);
    }
  }

  @Override
  public List<DueRun> dueRuns(int limit) {
    synchronized (database) {
      return database.tasks.runs().due(database.now(), limit);
    }
  }

  @Override
  public int startRun(DueRun run, Supplier<UUID> ids) {
    synchronized (database) {
      return runs().start(run, ids);
    }
  }

  @Override
  public boolean runAgain(DueRun run) {
    synchronized (database) {
      return runs().again(run);
    }
  }

  private InMemoryRuns runs() {
    return new InMemoryRuns(database);
  }

  @Override
  public Optional<BatchSummary> find(UUID batch) {
    synchronized (database) {
      List<Task> tasks = tasks(batch);
      return tasks.isEmpty() ? Optional.empty() : Optional.of(summary(batch, tasks));
    }
  }

  @Override
  public Optional<BatchDefinition> definition(UUID batch) {
    synchronized (database) {
      return database.tasks.hasBatch(batch)
          ? Optional.of(database.tasks.definition(batch))
          : Optional.empty();
    }
  }

  @Override
  public Optional<Integer> currentRun(UUID batch) {
    synchronized (database) {
      return database.tasks.hasBatch(batch)
          ? Optional.of(database.tasks.runs().current(batch))
          : Optional.empty();
    }
  }

  @Override
  public Optional<UUID> firstFailed(UUID batch, int run) {
    synchronized (database) {
      return InMemoryRuns.firstFailed(tasks(batch, run)).map(Task::id);
    }
  }

  /** Returns the tasks of the current run. */
  private List<Task> tasks(UUID batch) {
    return tasks(batch, database.tasks.runs().current(batch));
  }

  private List<Task> tasks(UUID batch, int run) {
    return database.tasks.batch(batch).stream()
        .map(StoredTask::task)
        .filter(task -> task.run() == run)
        .toList();
  }

  private BatchSummary summary(UUID batch, List<Task> tasks) {
    Map<DisplayStatus, Long> counts = new EnumMap<>(DisplayStatus.class);
    tasks.forEach(task -> counts.merge(task.status(), 1L, Long::sum));
    boolean ended = tasks.stream().allMatch(task -> task.state().isTerminal());
    boolean known = tasks.stream().allMatch(task -> task.progress().expected() != null);
    return new BatchSummary(
        batch,
        database.tasks.definition(batch),
        database.tasks.runs().current(batch),
        database.tasks.runs().of(batch),
        tasks.getFirst().times().createdAt(),
        latest(tasks, TaskTimes::updatedAt),
        ended ? latest(tasks, TaskTimes::endedAt) : null,
        database.tasks.stoppedAt(batch),
        counts,
        tasks.stream().mapToLong(task -> task.progress().success()).sum(),
        tasks.stream().mapToLong(task -> task.progress().failures()).sum(),
        known ? (Long) tasks.stream().mapToLong(InMemoryBatchStore::expected).sum() : null,
        tasks.stream()
            .map(task -> task.definition().kind())
            .distinct()
            .sorted()
            .limit(BatchSummary.MAX_KINDS)
            .toList(),
        false);
  }

  private static Instant latest(List<Task> tasks, Function<TaskTimes, @Nullable Instant> of) {
    Instant latest = Instant.MIN;
    for (Task task : tasks) {
      Instant at = of.apply(task.times());
      latest = at != null && at.isAfter(latest) ? at : latest;
    }
    return latest;
  }

  private static long expected(Task task) {
    Long expected = task.progress().expected();
    return expected == null ? 0 : expected;
  }

  @Override
  public BatchPage list(BatchFilter filter, PageRequest page) {
    synchronized (database) {
      UUID after = page.cursor() == null ? null : UUID.fromString(page.cursor());
      List<BatchSummary> found =
          matching(filter)
              .filter(batch -> after == null || IdOrder.BYTEWISE.compare(batch.id(), after) < 0)
              .limit(page.size() + 1L)
              .toList();
      boolean more = found.size() > page.size();
      List<BatchSummary> shown = more ? found.subList(0, page.size()) : found;
      return new BatchPage(shown, more ? shown.getLast().id().toString() : null);
    }
  }

  @Override
  public TaskCount count(BatchFilter filter, int limit) {
    synchronized (database) {
      long counted = matching(filter).limit(limit).count();
      return new TaskCount(counted, counted < limit);
    }
  }

  private Stream<BatchSummary> matching(BatchFilter filter) {
    return database.tasks.batches().stream()
        .sorted(IdOrder.BYTEWISE.reversed())
        .filter(batch -> matches(filter, batch, tasks(batch)))
        .map(batch -> summary(batch, tasks(batch)));
  }

  private boolean matches(BatchFilter filter, UUID batch, List<Task> tasks) {
    Instant created = tasks.getFirst().times().createdAt();
    List<BatchRun> runs = database.tasks.runs().of(batch);
    boolean live =
        tasks.stream().anyMatch(task -> task.state().isLive())
            || (!runs.isEmpty() && !runs.getLast().isFinal());
    String name = database.tasks.definition(batch).name();
    return (filter.createdAfter() == null || created.isAfter(filter.createdAfter()))
        && (filter.createdBefore() == null || created.isBefore(filter.createdBefore()))
        && (filter.live() == null || filter.live() == live)
        && tasks.stream().anyMatch(task -> matches(filter, name, task));
  }

  private static boolean matches(BatchFilter filter, @Nullable String batchName, Task task) {
    return (filter.status() == null || task.status() == filter.status())
        && (filter.kind() == null || contains(task.definition().kind(), filter.kind()))
        && (filter.name() == null
            || contains(batchName, filter.name())
            || contains(task.definition().name(), filter.name()));
  }

  private static boolean contains(@Nullable String text, String part) {
    return text != null && text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
  }

  @Override
  public List<Dependency> dependencies(UUID batch, @Nullable Integer run, int limit) {
    synchronized (database) {
      return tasks(batch, run == null ? database.tasks.runs().current(batch) : run).stream()
          .map(Task::id)
          .sorted(IdOrder.BYTEWISE)
          .flatMap(child -> database.tasks.dependencies().ofChild(child).stream())
          .map(StoredDependency::dependency)
          .limit(limit)
          .toList();
    }
  }

  @Override
  public List<ParentTask> parents(UUID task, @Nullable UUID after, int limit, int maxResultBytes) {
    synchronized (database) {
      return stored(task)
          .filter(
              it -> after == null || IdOrder.BYTEWISE.compare(it.dependency().parent(), after) > 0)
          .limit(limit)
          .map(it -> parent(it, maxResultBytes))
          .toList();
    }
  }

  @Override
  public Map<String, ParentTask> namedParents(UUID task, Set<String> names) {
    synchronized (database) {
      Map<String, ParentTask> found = new HashMap<>();
      for (String name : names) {
        stored(task)
            .filter(it -> isCalled(it.dependency(), name))
            .findFirst()
            .ifPresent(it -> found.put(name, parent(it, ParentTask.MAX_RESULT_BYTES)));
      }
      return found;
    }
  }

  private boolean isCalled(Dependency dependency, String name) {
    Task parent = database.tasks.existing(dependency.parent()).task();
    Task child = database.tasks.existing(dependency.child()).task();
    return parent.id().equals(IdText.parse(name))
        || (parent.batch().equals(child.batch()) && name.equals(parent.definition().localId()));
  }

  private Stream<StoredDependency> stored(UUID child) {
    return database.tasks.dependencies().ofChild(child).stream()
        .filter(it -> database.tasks.find(it.dependency().parent()) != null);
  }

  private ParentTask parent(StoredDependency stored, int maxResultBytes) {
    Task task = database.tasks.existing(stored.dependency().parent()).task();
    String result = task.lastResult().result();
    boolean tooLarge =
        result != null && result.getBytes(StandardCharsets.UTF_8).length > maxResultBytes;
    return new ParentTask(
        task.id(),
        task.definition().localId(),
        task.definition().name(),
        task.definition().kind(),
        task.status(),
        stored.dependency().requiresSuccess(),
        stored.outcome(),
        tooLarge ? null : result,
        tooLarge);
  }
}

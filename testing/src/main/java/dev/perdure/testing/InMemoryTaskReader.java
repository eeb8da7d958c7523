// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.AttemptRow;
import dev.perdure.engine.query.Backlog;
import dev.perdure.engine.query.ErrorGroups;
import dev.perdure.engine.query.ErrorQuery;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.ScanLimit;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.query.TaskRelations;
import dev.perdure.engine.query.TaskScan;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.query.TaskSource;
import dev.perdure.engine.spi.Deduplication.KeyHolder;
import dev.perdure.engine.spi.ErrorCounter;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Task;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Reads tasks of the in-memory store. */
final class InMemoryTaskReader implements TaskReader {

  private final InMemoryDatabase database;

  InMemoryTaskReader(InMemoryDatabase database) {
    this.database = database;
  }

  @Override
  public Optional<Task> find(UUID id) {
    synchronized (database) {
      return Optional.ofNullable(database.tasks.find(id)).map(StoredTask::task);
    }
  }

  @Override
  public Optional<UUID> findByDedupeKey(int shard, String key) {
    synchronized (database) {
      return Optional.ofNullable(database.tasks.holder(shard, key)).map(KeyHolder::id);
    }
  }

  @Override
  public List<Attempt> attempts(UUID id, int limit) {
    synchronized (database) {
      List<Attempt> all = database.tasks.attempts(id);
      return List.copyOf(all.subList(Math.max(0, all.size() - limit), all.size()));
    }
  }

  @Override
  public List<AttemptRow> attemptRows(UUID id, long before, int limit) {
    synchronized (database) {
      return database.tasks.attempts(id).reversed().stream()
          .filter(attempt -> attempt.epoch() < before)
          .limit(limit)
          .map(AttemptRow::of)
          .toList();
    }
  }

  @Override
  public Optional<Attempt> attempt(UUID id, long epoch) {
    synchronized (database) {
      return database.tasks.attempts(id).stream()
          .filter(attempt -> attempt.epoch() == epoch)
          .findFirst();
    }
  }

  @Override
  public TaskRelations relations(UUID id) {
    synchronized (database) {
      StoredTask task = database.tasks.find(id);
      return task == null
          ? TaskRelations.NONE
          : new TaskRelations(
              counted(database.tasks.attempts(id)),
              counted(database.tasks.dependencies().ofChild(id)),
              counted(database.tasks.dependencies().onParent(id)),
              database.schedules.scheduleOf(task.task().batch()));
    }
  }

  private static int counted(Collection<?> all) {
    return Math.min(all.size(), TaskRelations.MAX_COUNTED);
  }

  @Override
  public TaskPage list(TaskFilter filter, TaskSort sort, PageRequest page) {
    sort.requireSupports(filter);
    TaskSort.Cursor after = sort.cursor(page.cursor());
    int limit = page.scanLimit().of(filter);
    TaskScan scan = new TaskScan(sort, page.size(), limit);
    synchronized (database) {
      FilterMatcher filterMatcher = matcher(filter);
      int lookedAt = 0;
      int found = 0;
      Iterator<StoredTask> tasks = sorted(source(filter, limit), filter, sort, after).iterator();
      while (tasks.hasNext() && found <= page.size() && lookedAt < limit) {
        StoredTask task = tasks.next();
        lookedAt++;
        if (filterMatcher.matches(task)) {
          found++;
          scan.addMatch(task.task().row());
        }
        if (lookedAt == limit) {
          scan.addStop(task.task().row());
        }
      }
      return scan.page();
    }
  }

  private FilterMatcher matcher(TaskFilter filter) {
    UUID schedule = filter.schedule();
    return new FilterMatcher(
        filter, schedule == null ? Set.of() : database.schedules.batches(schedule), database.now());
  }

  /** The source that the other stores would read. */
  private TaskSource source(TaskFilter filter, int limit) {
    TaskSource source = TaskSource.of(filter);
    boolean fits = newestFirst(filter, source).count() <= (long) limit * TaskSource.RETRIES_FACTOR;
    return fits ? source : source.fallback();
  }

  /** The tasks of the list after the cursor, whether they match or not. */
  private Stream<StoredTask> sorted(
      TaskSource source, TaskFilter filter, TaskSort sort, TaskSort.Cursor after) {
    Stream<StoredTask> tasks =
        newestFirst(filter, source)
            .filter(task -> sort.states().contains(task.state()))
            .filter(task -> sort.isAfter(task.task().row(), after));
    // The tasks are already newest first.
    return sort == TaskSort.NEWEST
        ? tasks
        : tasks.sorted(Comparator.comparing(task -> task.task().row(), sort.comparator()));
  }

  /** The tasks of the source. */
  private Stream<StoredTask> newestFirst(TaskFilter filter, TaskSource source) {
    return database.tasks.newestFirst().filter(task -> source.contains(task.task().row(), filter));
  }

  @Override
  public TaskCount count(TaskFilter filter, int limit, ScanLimit scanLimit) {
    synchronized (database) {
      FilterMatcher filterMatcher = matcher(filter);
      List<StoredTask> tasks = newestFirst(filter, TaskSource.of(filter)).toList();
      int lookAt = Math.min(tasks.size(), scanLimit.of(filter));
      long counted =
          tasks.subList(0, lookAt).stream().filter(filterMatcher::matches).limit(limit).count();
      return new TaskCount(counted, counted < limit && lookAt == tasks.size());
    }
  }

  @Override
  public Backlog backlog() {
    synchronized (database) {
      return new InMemoryStatistics(database).backlog();
    }
  }

  @Override
  public StoreStatistics statistics() {
    synchronized (database) {
      return new InMemoryStatistics(database).statistics();
    }
  }

  @Override
  public ErrorGroups errors(ErrorQuery query) {
    synchronized (database) {
      return new ErrorCounter(query, database.shards, database.now())
          .count(new InMemoryErrors(database.tasks));
    }
  }

  @Override
  public RetryWave retryWave(RetryWaveQuery query) {
    synchronized (database) {
      return new InMemoryRetryWave(database, query).count();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.Backlog;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.spi.Deduplication.KeyHolder;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
  public TaskPage list(TaskFilter filter, TaskSort sort, PageRequest page) {
    sort.requireSupports(filter);
    Comparator<TaskRow> order = sort.comparator();
    TaskSort.Cursor after = sort.cursor(page.cursor());
    synchronized (database) {
      Stream<TaskRow> found =
          matching(filter)
              .map(storedTask -> storedTask.task().row())
              .filter(task -> sort.states().contains(task.state()))
              .filter(task -> sort.isAfter(task, after));
      // The rows are already newest first.
      return sort.page(
          (sort == TaskSort.NEWEST ? found : found.sorted(order)).limit(page.size() + 1L).toList(),
          page.size());
    }
  }

  private Stream<StoredTask> matching(TaskFilter filter) {
    FilterMatcher filterMatcher = new FilterMatcher(filter, database.now());
    return database.tasks.newestFirst().filter(filterMatcher::matches);
  }

  @Override
  public long count(TaskFilter filter, int limit) {
    synchronized (database) {
      return matching(filter).limit(limit).count();
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
  public RetryWave retryWave(RetryWaveQuery query) {
    synchronized (database) {
      return new InMemoryRetryWave(database, query).count();
    }
  }
}

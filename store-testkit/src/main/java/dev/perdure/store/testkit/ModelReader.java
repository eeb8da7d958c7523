// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.Backlog;
import dev.perdure.engine.store.Page;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.Statistics;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.store.TaskSort;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Looks at the model's tasks. */
final class ModelReader implements TaskReader {

  private final ModelDatabase database;

  ModelReader(ModelDatabase database) {
    this.database = database;
  }

  @Override
  public Optional<Task> find(UUID id) {
    synchronized (database) {
      return Optional.ofNullable(database.tasks.find(id)).map(Row::task);
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
  public Page list(TaskFilter filter, TaskSort sort, PageRequest page) {
    sort.requireOrders(filter);
    Comparator<TaskRow> order = sort.comparator();
    TaskSort.Place after = sort.place(page.after());
    synchronized (database) {
      Stream<TaskRow> found =
          matching(filter)
              .map(row -> row.task().row())
              .filter(task -> sort.states().contains(task.state()))
              .filter(task -> sort.isBehind(task, after));
      // The rows come newest first.
      return sort.page(
          (sort == TaskSort.NEWEST ? found : found.sorted(order)).limit(page.size() + 1L).toList(),
          page.size());
    }
  }

  private Stream<Row> matching(TaskFilter filter) {
    Matching matching = new Matching(filter, database.now());
    return database.tasks.newestFirst().filter(matching::matches);
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
      return new Counts(database).backlog();
    }
  }

  @Override
  public Statistics statistics() {
    synchronized (database) {
      return new Counts(database).statistics();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

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
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Task;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A task reader behind an unreliable connection. */
final class FailingTaskReader implements TaskReader {

  private final TaskReader inner;
  private final UnreliableConnection connection;

  FailingTaskReader(TaskReader inner, UnreliableConnection connection) {
    this.inner = inner;
    this.connection = connection;
  }

  @Override
  public Optional<Task> find(UUID id) {
    return connection.read("find", () -> inner.find(id));
  }

  @Override
  public Optional<UUID> findByDedupeKey(int shard, String key) {
    return connection.read("find by dedupe key", () -> inner.findByDedupeKey(shard, key));
  }

  @Override
  public List<Task> findAll(List<UUID> ids) {
    return connection.read("find", () -> inner.findAll(ids));
  }

  @Override
  public List<Attempt> attempts(UUID id, int limit) {
    return connection.read("attempts", () -> inner.attempts(id, limit));
  }

  @Override
  public List<AttemptRow> attemptRows(UUID id, long before, int limit) {
    return connection.read("attempts", () -> inner.attemptRows(id, before, limit));
  }

  @Override
  public Optional<Attempt> attempt(UUID id, long epoch) {
    return connection.read("attempt", () -> inner.attempt(id, epoch));
  }

  @Override
  public TaskRelations relations(UUID id) {
    return connection.read("relations", () -> inner.relations(id));
  }

  @Override
  public TaskPage list(TaskFilter filter, TaskSort sort, PageRequest page) {
    return connection.read("list", () -> inner.list(filter, sort, page));
  }

  @Override
  public TaskCount count(TaskFilter filter, int limit, ScanLimit scanLimit) {
    return connection.read("count", () -> inner.count(filter, limit, scanLimit));
  }

  @Override
  public Backlog backlog() {
    return connection.read("backlog", inner::backlog);
  }

  @Override
  public StoreStatistics statistics() {
    return connection.read("statistics", inner::statistics);
  }

  @Override
  public ErrorGroups errors(ErrorQuery query) {
    return connection.read("errors", () -> inner.errors(query));
  }

  @Override
  public RetryWave retryWave(RetryWaveQuery query) {
    return connection.read("retry wave", () -> inner.retryWave(query));
  }
}

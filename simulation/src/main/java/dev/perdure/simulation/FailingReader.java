// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.store.Backlog;
import dev.perdure.engine.store.Page;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.Statistics;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.store.TaskSort;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Task;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The questions, at the other end of a wire. */
final class FailingReader implements TaskReader {

  private final TaskReader inner;
  private final Wire wire;

  FailingReader(TaskReader inner, Wire wire) {
    this.inner = inner;
    this.wire = wire;
  }

  @Override
  public Optional<Task> find(UUID id) {
    return wire.read("find", () -> inner.find(id));
  }

  @Override
  public List<Task> findAll(List<UUID> ids) {
    return wire.read("find", () -> inner.findAll(ids));
  }

  @Override
  public List<Attempt> attempts(UUID id, int limit) {
    return wire.read("attempts", () -> inner.attempts(id, limit));
  }

  @Override
  public Page list(TaskFilter filter, TaskSort sort, PageRequest page) {
    return wire.read("list", () -> inner.list(filter, sort, page));
  }

  @Override
  public long count(TaskFilter filter, int limit) {
    return wire.read("count", () -> inner.count(filter, limit));
  }

  @Override
  public Backlog backlog() {
    return wire.read("backlog", inner::backlog);
  }

  @Override
  public Statistics statistics() {
    return wire.read("statistics", inner::statistics);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

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
import dev.perdure.engine.task.Dependency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The batches behind the unreliable connection. */
final class FailingBatchStore implements BatchStore {

  private final BatchStore inner;
  private final UnreliableConnection connection;

  FailingBatchStore(BatchStore inner, UnreliableConnection connection) {
    this.inner = inner;
    this.connection = connection;
  }

  @Override
  public boolean markStopped(UUID batch) {
    return connection.write("mark stopped", () -> inner.markStopped(batch));
  }

  @Override
  public List<CompletedRun> completedRuns(int limit) {
    return connection.read("completed runs", () -> inner.completedRuns(limit));
  }

  @Override
  public boolean endRun(RunDecision decision) {
    return connection.write("end run", () -> inner.endRun(decision));
  }

  @Override
  public List<DueRun> dueRuns(int limit) {
    return connection.read("due runs", () -> inner.dueRuns(limit));
  }

  @Override
  public int startRun(DueRun run, Supplier<UUID> ids) {
    return connection.write("start run", () -> inner.startRun(run, ids));
  }

  @Override
  public boolean runAgain(DueRun run) {
    return connection.write("run again", () -> inner.runAgain(run));
  }

  @Override
  public Optional<BatchSummary> find(UUID batch) {
    return connection.read("find batch", () -> inner.find(batch));
  }

  @Override
  public Optional<BatchDefinition> definition(UUID batch) {
    return connection.read("batch definition", () -> inner.definition(batch));
  }

  @Override
  public Optional<Integer> currentRun(UUID batch) {
    return connection.read("current run", () -> inner.currentRun(batch));
  }

  @Override
  public Optional<UUID> firstFailed(UUID batch, int run) {
    return connection.read("first failed", () -> inner.firstFailed(batch, run));
  }

  @Override
  public BatchPage list(BatchFilter filter, PageRequest page) {
    return connection.read("list batches", () -> inner.list(filter, page));
  }

  @Override
  public TaskCount count(BatchFilter filter, int limit) {
    return connection.read("count batches", () -> inner.count(filter, limit));
  }

  @Override
  public List<Dependency> dependencies(UUID batch, @Nullable Integer run, int limit) {
    return connection.read("dependencies", () -> inner.dependencies(batch, run, limit));
  }

  @Override
  public List<ParentTask> parents(UUID task, @Nullable UUID after, int limit, int maxResultBytes) {
    return connection.read("parents", () -> inner.parents(task, after, limit, maxResultBytes));
  }

  @Override
  public Map<String, ParentTask> namedParents(UUID task, Set<String> names) {
    return connection.read("named parents", () -> inner.namedParents(task, names));
  }
}
